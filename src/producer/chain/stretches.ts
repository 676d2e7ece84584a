import type { Work } from "../../core/lib/work.js"
import type { Timers } from "../ports.js"

/** Milliseconds after which other work runs. */
const LONG = 10

/** Divides work on the chain into stretches with other work in between, and counts the milliseconds for which it held the event loop. */
export class Stretches {
  readonly #timers: Timers
  #before = 0
  #started = performance.now()

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** Milliseconds of all stretches so far. */
  get milliseconds(): number {
    return this.#before + performance.now() - this.#started
  }

  /** Runs work to its end. The work waits for no promises. */
  async finish<T>(work: Work<T>): Promise<T> {
    for (;;) {
      const { done, value } = work.next()
      if (done) return value
      await this.rest()
    }
  }

  /** Lets other work run if this stretch was long. */
  async rest(): Promise<void> {
    const now = performance.now()
    if (now - this.#started < LONG) return
    this.#before += now - this.#started
    await new Promise<void>((resolve) => this.#timers.soon(resolve))
    this.#started = performance.now()
  }
}
