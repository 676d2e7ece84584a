import { Turnstile } from "../core/lib/turnstile.js"
import type { After } from "./grpc/timeLimit.js"

/** The number of plugins that start at a time. Each has five seconds for its handshake, and all need the processor for it. */
const AT_ONCE = 4

/** The time after which a start no longer keeps the next one waiting, milliseconds. */
const TURN_MILLISECONDS = 10_000

/** The turns in which the plugins of a node start: a few at a time. One that takes long does not hold up the others. */
export class StartTurns {
  readonly #turns = new Turnstile(AT_ONCE, Number.POSITIVE_INFINITY)
  readonly #after: After

  constructor(after: After) {
    this.#after = after
  }

  /** Begins a start when its turn comes. Throws the reason of `ending` if that comes first. */
  run<T>(ending: AbortSignal, start: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = () => reject(ending.reason)
      ending.addEventListener("abort", leave)
      void this.#turns.run(async () => {
        ending.removeEventListener("abort", leave)
        if (!ending.aborted) await this.#turn(start, resolve, reject)
      })
    })
  }

  /** Resolves when the start has ended, or has had its time. */
  #turn<T>(start: () => Promise<T>, resolve: (started: T) => void, reject: (error: unknown) => void): Promise<void> {
    return new Promise((over) => {
      const cancel = this.#after(TURN_MILLISECONDS, over)
      // A start may also refuse its options at once.
      const begin = async () => start()
      begin()
        .then(resolve, reject)
        .finally(() => {
          cancel()
          over()
        })
    })
  }
}
