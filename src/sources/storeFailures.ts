import { setTimeout } from "node:timers/promises"
import { type StatePort, WriteFailure } from "../core/chain/statePort.js"
import { Invalid } from "../core/lib/invalid.js"
import type { Log } from "../core/lib/log.js"
import type { IndexedView, PrimaryEdits } from "../core/state/view.js"
import { isFinalFailure, isStoreFailure } from "../store/errors.js"
import type { Store } from "../store/store.js"

/** Milliseconds until writing to a failed store is tried again. */
const RETRY_MS = 1_000

/** Milliseconds in which a failure that comes again is not logged again: on a nearly full disk, small writes succeed between large ones that fail. */
const QUIET_MS = 60_000

/** The failed writes of a chain whose blocks come from elsewhere. Writing is tried again every second. Each kind is logged once a minute at most. */
export class StoreFailures {
  readonly #log: Pick<Log, "error" | "info">
  readonly #now: () => number
  #failure: { readonly code: string; readonly retryAt: number; readonly isLogged: boolean } | undefined
  #logged: { readonly code: string; readonly at: number } | undefined

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(log: Pick<Log, "error" | "info">, now: () => number) {
    this.#log = log
    this.#now = now
  }

  get isWaiting(): boolean {
    return this.#failure !== undefined && this.#now() < this.#failure.retryAt
  }

  /** Returns the state port of a store. Each successful commit ends the failure. */
  stateOf(store: Store): StatePort {
    return new WatchedState(store, () => this.#written())
  }

  /** Records an error if it is a failed write that is tried again, or would be if the store allowed it. Returns false for any other error. */
  hasRecorded(error: unknown): boolean {
    const reason = refusalIn(error)
    if (!isStoreFailure(reason)) return false
    const { code, message } = reason
    const now = this.#now()
    const wasLogged = this.#failure?.code === code && this.#failure.isLogged
    const isLogged = wasLogged || this.#logged?.code !== code || now >= this.#logged.at + QUIET_MS
    if (isLogged && !wasLogged) {
      this.#log.error("the store cannot be written", { code, reason: message })
      this.#logged = { code, at: now }
    }
    this.#failure = { code, retryAt: isFinalFailure(reason) ? Number.POSITIVE_INFINITY : now + RETRY_MS, isLogged }
    return true
  }

  /** Calls a function that writes until it succeeds. Throws other errors, and the store's refusal if that is final or `isStopped` returns true. */
  async retry<T>(write: () => T | Promise<T>, isStopped: () => boolean = () => false): Promise<T> {
    for (;;) {
      try {
        const result = await write()
        this.#written()
        return result
      } catch (error) {
        if (!this.hasRecorded(error) || isFinalFailure(refusalIn(error))) throw refusalIn(error)
        while (this.isWaiting && !isStopped()) await setTimeout(LOOK_MS)
        if (isStopped()) throw refusalIn(error)
      }
    }
  }

  #written(): void {
    if (this.#failure?.isLogged) this.#log.info("the store is written again")
    this.#failure = undefined
  }
}

/** The state port of a store whose refusals to write are `WriteFailure`. */
class WatchedState implements StatePort {
  readonly #store: Store
  readonly #written: () => void

  /** `written` is called after each successful commit. */
  constructor(store: Store, written: () => void) {
    this.#store = store
    this.#written = written
  }

  get latest(): IndexedView {
    return this.#store.latest
  }

  commit(edits: PrimaryEdits): void {
    try {
      this.#store.commit(edits)
    } catch (error) {
      throw error instanceof Invalid ? new WriteFailure(error) : error
    }
    this.#written()
  }
}

/** Milliseconds between two questions whether to stop. */
const LOOK_MS = 50

/** Returns the refusal of the store if an error is a failed write, otherwise the error itself. */
function refusalIn(error: unknown): unknown {
  return error instanceof WriteFailure ? error.reason : error
}
