/**
 * Lets others run during long work. Work that input or state can make long is an `async` function that gets a pace, and after each piece, which
 * takes some milliseconds at most, does `if (pace.isDue) await pace.pause()`. What is not a snapshot may have changed after a pause.
 */
export interface Pace {
  /** True if the work has used its time, so that others should run. */
  readonly isDue: boolean
  /** Lets others run. */
  pause(): Promise<void>
}

/** The pace of work that somebody pays for. */
export interface ChargedPace extends Pace {
  /** Waits for something that takes no time of this work. */
  wait<T>(promise: Promise<T>): Promise<T>
  /** Charges milliseconds that were spent elsewhere for this work. */
  charge(milliseconds: number): void
}

/** The pace of work that others need not run beside, and that nobody pays for. */
export const neverPausing: ChargedPace = { isDue: false, pause: async () => {}, wait: (promise) => promise, charge: () => {} }
