import type { ChargedPace } from "../../core/lib/pace.js"
import type { Timers } from "../ports.js"

/** Milliseconds after which other work runs. */
const LONG = 10

/** The pace of work on the chain. It counts the milliseconds for which the work held the event loop. */
export class TurnPace implements ChargedPace {
  readonly #timers: Timers
  #before = 0
  #started = performance.now()

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** Milliseconds of the work so far, without its pauses. */
  get milliseconds(): number {
    return this.#before + performance.now() - this.#started
  }

  get isDue(): boolean {
    return performance.now() - this.#started >= LONG
  }

  async pause(): Promise<void> {
    await this.#without(() => new Promise<void>((resolve) => this.#timers.soon(resolve)))
  }

  wait<T>(promise: Promise<T>): Promise<T> {
    return this.#without(() => promise)
  }

  /** Waits without counting the time. */
  async #without<T>(wait: () => Promise<T>): Promise<T> {
    this.#before += performance.now() - this.#started
    try {
      return await wait()
    } finally {
      this.#started = performance.now()
    }
  }

  charge(): void {}
}
