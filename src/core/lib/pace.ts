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
