import type { ChargedPace } from "./pace.js"

/** Milliseconds after which other work runs. */
const LONG = 10

/** The pace of work that lets others run every ten milliseconds. It counts the milliseconds for which the work held the event loop. */
export class WorkPace implements ChargedPace {
  readonly #now: () => number
  readonly #soon: (callback: () => void) => void
  #before = 0
  #started: number

  /** `now` returns milliseconds of a monotonic clock. `soon` calls back after the input that has arrived so far was handled. */
  constructor(now: () => number, soon: (callback: () => void) => void) {
    this.#now = now
    this.#soon = soon
    this.#started = now()
  }

  /** Milliseconds of the work so far, without its pauses. */
  get milliseconds(): number {
    return this.#before + this.#now() - this.#started
  }

  get isDue(): boolean {
    return this.#now() - this.#started >= LONG
  }

  async pause(): Promise<void> {
    await this.#without(() => new Promise<void>((resolve) => this.#soon(resolve)))
  }

  wait<T>(promise: Promise<T>): Promise<T> {
    return this.#without(() => promise)
  }

  /** Waits without counting the time. */
  async #without<T>(wait: () => Promise<T>): Promise<T> {
    this.#before += this.#now() - this.#started
    try {
      return await wait()
    } finally {
      this.#started = this.#now()
    }
  }

  charge(): void {}
}
