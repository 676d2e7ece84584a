/** Calls back once after this many milliseconds. */
type Timer = (milliseconds: number, callback: () => void) => void

/** Limits how many lines of one kind are written in a second, and counts the omitted ones. */
export class LineBudget {
  readonly #linesPerSecond: number
  readonly #now: () => number
  readonly #onEnd: (leftOut: number) => void
  readonly #after: Timer
  #second = -1
  #written = 0
  #leftOut = 0

  /** `now` returns Unix milliseconds. `onEnd` is called with the count of a second in which lines were omitted. */
  constructor(linesPerSecond: number, now: () => number, after: Timer, onEnd: (leftOut: number) => void) {
    this.#linesPerSecond = linesPerSecond
    this.#now = now
    this.#onEnd = onEnd
    this.#after = after
  }

  /** Returns true if a line may be written now, and counts it otherwise. */
  take(): boolean {
    const second = Math.floor(this.#now() / 1000)
    if (second !== this.#second) {
      this.flush()
      this.#second = second
      this.#written = 0
    }
    if (this.#written < this.#linesPerSecond) {
      this.#written++
      return true
    }
    // The count is reported at the end of the second, even if no further line follows.
    if (this.#leftOut++ === 0) this.#after(1000 - (this.#now() % 1000), () => this.flush())
    return false
  }

  /** Reports the number of lines that were omitted so far, if any. */
  flush(): void {
    if (this.#leftOut === 0) return
    const leftOut = this.#leftOut
    this.#leftOut = 0
    this.#onEnd(leftOut)
  }
}
