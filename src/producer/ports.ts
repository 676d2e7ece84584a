/** The machine's clock: milliseconds since 1970. */
export type WallClock = () => number

/** The timers of the producer. They are passed in, so that tests need not wait. */
export interface Timers {
  /** Calls back once after this many milliseconds. Returns a function that cancels the timer. */
  after(milliseconds: number, callback: () => void): () => void
  /** Calls back once after the input that has arrived so far was handled, so that other work can run in between. */
  soon(callback: () => void): void
}
