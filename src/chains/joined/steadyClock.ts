/**
 * A monotonic clock in Unix milliseconds: it starts with the machine's clock and then counts the elapsed time. Timeouts and
 * intervals are measured with it, so that they survive a step of the machine's clock.
 */
export function steadyClock(wall: () => number, passedMs: () => number = () => performance.now()): () => number {
  const offset = wall() - passedMs()
  return () => passedMs() + offset
}
