import type { Log } from "../../core/lib/log.js"
import type { WallClock } from "../ports.js"

/** The pauses between two tries to make the next block, milliseconds. They double. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1000, 300_000]

/** Why a chain cannot make its next block, and when it tries again. Everything else goes on: reads, reverts, resets, dumps. */
export class Halt {
  readonly #wall: WallClock
  readonly #log: Log
  #reason: string | undefined
  #pause = FIRST_PAUSE
  /** The time of the next try, milliseconds of the machine's clock. */
  #next = 0

  constructor(wall: WallClock, log: Log) {
    this.#wall = wall
    this.#log = log
  }

  /** The reason as a sentence; `undefined` while the chain makes its blocks. */
  get reason(): string | undefined {
    return this.#reason
  }

  /** The time until the next try, milliseconds. The machine's clock may have been set back meanwhile. */
  get remaining(): number {
    return Math.min(Math.max(this.#next - this.#wall(), 0), LONGEST_PAUSE)
  }

  /** Records that a try failed. A reason is logged once. */
  failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error)
    if (reason !== this.#reason) this.#log.error("the chain cannot make its next block", { reason })
    this.#reason = reason
    this.#next = this.#wall() + this.#pause
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE)
  }

  /** Records that a try succeeded, and how many blocks it made. Without a block, the next failure is followed by a longer pause all the same. */
  succeeded(blocks: number): void {
    this.#reason = undefined
    if (blocks > 0) this.#pause = FIRST_PAUSE
  }

  /** Forgets everything, because another chain took the place of this one. */
  end(): void {
    this.#reason = undefined
    this.#pause = FIRST_PAUSE
  }
}
