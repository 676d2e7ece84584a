/**
 * A clock in Unix milliseconds that nobody can set: it begins with the machine's clock and then counts what has passed. Timeouts and
 * intervals are measured with it, so that they survive a step of the machine's clock.
 */
export function steadyClock(wall: () => number, passedMs: () => number = () => performance.now()): () => number {
  const offset = wall() - passedMs()
  return () => passedMs() + offset
}
