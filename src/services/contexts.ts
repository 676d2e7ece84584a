import type { Rules } from "../core/rules/run.js"
import type { Snapshot } from "../core/state/snapshot.js"
import { tables } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import type { ID } from "../core/types/id.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { ContextLease } from "../jsonrpc/service.js"
import type { Context, NodePort } from "./context.js"

/** How many answers are kept between two changes of the state. */
const MAX_CACHED = 256

/** What contexts are made of. */
export interface ContextsOptions {
  readonly dialect: Dialect
  readonly rules: Rules
  readonly node: NodePort
  /** Takes a snapshot of the last accepted state. */
  snapshot(): Snapshot
  /**
   * A number that changes with the state, for a state that another process changes: it may do so at any time, so that each call looks
   * first. No snapshot is kept while nobody reads, since the other's file would grow for it.
   */
  version?: (() => number) | undefined
}

/**
 * Hands out contexts. All calls between two changes of the state share one snapshot and what was cached over it; it is given back
 * when the state has changed and the last of them has answered.
 */
export class Contexts {
  readonly #options: ContextsOptions
  readonly #unsubscribe: () => void
  #head: StateLease | undefined

  constructor(options: ContextsOptions) {
    this.#options = options
    this.#unsubscribe = options.node.onAccepted(() => this.#forget())
  }

  open(): ContextLease<Context> {
    for (;;) {
      const version = this.#options.version?.()
      if (this.#head?.version !== version) this.#forget()
      this.#head ??= new StateLease(this.#options, version)
      this.#head.hold()
      if (version === undefined || this.#options.version?.() === version) return this.#head
      this.#head.release()
    }
  }

  close(): void {
    this.#unsubscribe()
    this.#forget()
  }

  #forget(): void {
    this.#head?.retire()
    this.#head = undefined
  }
}

/** The state after one change, and everyone who reads it. The snapshot is taken when someone first looks. */
class StateLease implements ContextLease<Context> {
  readonly context: Context
  readonly #options: ContextsOptions
  #snapshot: Snapshot | undefined
  #holders = 0
  #isRetired = false
  /** See `ContextsOptions`. */
  readonly version: number | undefined

  constructor(options: ContextsOptions, version: number | undefined) {
    this.#options = options
    this.version = version
    this.context = new StateContext(options, () => this.#view())
  }

  hold(): void {
    this.#holders++
    // Later it would be the snapshot of another state.
    if (this.version !== undefined) this.#view()
  }

  release(): void {
    this.#holders--
    this.#giveBack()
  }

  retire(): void {
    this.#isRetired = true
    this.#giveBack()
  }

  #view(): Snapshot {
    if (this.#isRetired && this.#holders === 0) throw new Error("the state has changed, and nobody holds this moment of it")
    this.#snapshot ??= this.#options.snapshot()
    return this.#snapshot
  }

  #giveBack(): void {
    const isKept = !this.#isRetired && this.version === undefined
    if (isKept || this.#holders > 0) return
    this.#snapshot?.release()
    this.#snapshot = undefined
  }
}

class StateContext implements Context {
  readonly dialect: Dialect
  readonly rules: Rules
  readonly node: NodePort
  readonly #viewOf: () => View
  readonly #cache = new Map<string, unknown>()
  #last: { readonly id: ID; readonly height: bigint } | undefined

  constructor({ dialect, rules, node }: ContextsOptions, viewOf: () => View) {
    this.dialect = dialect
    this.rules = rules
    this.node = node
    this.#viewOf = viewOf
  }

  get view(): View {
    return this.#viewOf()
  }

  get height(): bigint {
    return this.#lastAccepted().height
  }

  get lastAcceptedID(): ID {
    return this.#lastAccepted().id
  }

  cached<T>(key: string, make: () => T): T {
    const cache = this.#cache
    if (cache.has(key)) return cache.get(key) as T
    const made = make()
    // The first in is the first out: keys may be made of what strangers ask.
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string)
    cache.set(key, made)
    return made
  }

  #lastAccepted(): { readonly id: ID; readonly height: bigint } {
    this.#last ??= this.view.get(tables.lastAccepted, null)
    if (!this.#last) throw new Error("the state has no last accepted block: genesis was never applied")
    return this.#last
  }
}
