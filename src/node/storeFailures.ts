import type { StatePort } from "../core/chain/chain.js"
import type { Invalid } from "../core/lib/invalid.js"
import type { Log } from "../core/lib/log.js"
import { isFinalFailure } from "../store/errors.js"
import type { Store } from "../store/store.js"

/** Milliseconds until writing to a failed store is tried again. */
const RETRY_MS = 1_000

/** Remembers that a store could not be written, and when to try again. Each kind of failure is logged once. */
export class StoreFailures {
  readonly #log: Log
  readonly #now: () => number
  #failure: { readonly code: string; readonly retryAt: number } | undefined

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(log: Log, now: () => number) {
    this.#log = log
    this.#now = now
  }

  /** True while nothing should be written. */
  get isWaiting(): boolean {
    return this.#failure !== undefined && this.#now() < this.#failure.retryAt
  }

  failed(error: Invalid): void {
    const { code, message } = error
    if (this.#failure?.code !== code) this.#log.error("the store cannot be written", { code, reason: message })
    this.#failure = { code, retryAt: isFinalFailure(error) ? Number.POSITIVE_INFINITY : this.#now() + RETRY_MS }
  }

  /** Returns the state port of a store. Each successful commit ends the failure. */
  stateOf(store: Store): StatePort {
    return {
      get latest() {
        return store.latest
      },
      commit: (edits) => {
        store.commit(edits)
        this.#written()
      },
    }
  }

  #written(): void {
    if (!this.#failure) return
    this.#failure = undefined
    this.#log.info("the store is written again")
  }
}
