import { setImmediate } from "node:timers/promises"
import type { Pace } from "../core/lib/pace.js"

/** The pace of work that gives the event loop a turn after some milliseconds. */
export class LoopPace implements Pace {
  readonly #milliseconds: number
  #started = performance.now()

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  get isDue(): boolean {
    return performance.now() - this.#started >= this.#milliseconds
  }

  async pause(): Promise<void> {
    await setImmediate()
    this.#started = performance.now()
  }
}
