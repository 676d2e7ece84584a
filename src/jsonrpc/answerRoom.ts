import type { ChargedPace } from "../core/lib/pace.js"
import { Unavailable } from "../core/lib/unavailable.js"
import { rpcError } from "./errors.js"

/** The size from which on an answer is large, bytes. */
const LARGE = 1 << 20

/** The maximum number of large answers that are made at once. */
const LARGE_AT_ONCE = 4

/** The maximum number of answers that wait. Each of them has just become large. */
const MAX_WAITING = 64

/** Bounds the memory of answers while they are made: the size of each, and the number of large ones that are made at once. */
export class AnswerRoom {
  /** The maximum size of an answer, bytes. */
  readonly maxSize: number
  readonly #waiting: (() => void)[] = []
  #free = LARGE_AT_ONCE

  constructor(maxSize = Number.POSITIVE_INFINITY) {
    this.maxSize = maxSize
  }

  /** Begins an answer that may become large. The caller disposes of it when the answer is made. */
  begin(): GrowingAnswer {
    return new GrowingAnswer(this)
  }

  /** Takes a place for a large answer. Returns a promise if the place is not free yet. Throws `Unavailable` if too many answers wait. */
  enter(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--
      return undefined
    }
    if (this.#waiting.length >= MAX_WAITING) throw new Unavailable(rpcError("rpc.busy"))
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Gives back the place of a large answer. */
  leave(): void {
    // The next answer takes the place over, so that no later one can take it first.
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}

/** An answer that is being made. */
export class GrowingAnswer implements Disposable {
  readonly #room: AnswerRoom
  #isLarge = false

  constructor(room: AnswerRoom) {
    this.#room = room
  }

  /**
   * Must be called between the steps in which the answer grows, with its size in bytes. The answer waits while too many large ones are made.
   * Throws `rpc.answer_too_large`, and `Unavailable` if too many wait.
   */
  async grow(size: number, pace: Pick<ChargedPace, "wait">): Promise<void> {
    const { maxSize } = this.#room
    if (size > maxSize) throw rpcError("rpc.answer_too_large", { limit: maxSize })
    if (size < LARGE || this.#isLarge) return
    const place = this.#room.enter()
    // If the client disconnects while its answer waits, the answer is disposed of when it has the place.
    this.#isLarge = true
    if (place) await pace.wait(place)
  }

  [Symbol.dispose](): void {
    if (this.#isLarge) this.#room.leave()
    this.#isLarge = false
  }
}
