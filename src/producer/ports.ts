/** The machine's clock: milliseconds since 1970. */
export type WallClock = () => number

/** The timers of the producer. They are passed in, so that tests need not wait. */
export interface Timers {
  /** Calls back once, this many milliseconds from now; returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void
  /** Calls back once what has arrived by now is taken in, and lets others work in between. */
  soon(callback: () => void): void
}
