/** Interval at which the machine's clock is checked, and the difference from which it counts as set, milliseconds. */
const [POLL_MILLISECONDS, TOLERANCE] = [1000, 1000]

/**
 * Calls back when the machine's clock was set or the machine woke up: when more or less time has passed on it than on the monotonic timer
 * of the process. Returns a function that ends the watch.
 */
export function watchClock(wall: () => number, onSet: () => void): () => void {
  const ahead = () => wall() - performance.now()
  let before = ahead()
  const timer = setInterval(() => {
    const now = ahead()
    if (Math.abs(now - before) > TOLERANCE) onSet()
    before = now
  }, POLL_MILLISECONDS)
  timer.unref()
  return () => clearInterval(timer)
}
