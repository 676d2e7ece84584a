import type { Rules } from "../core/rules/run.js"
import { tables } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import type { ID } from "../core/types/id.js"
import type { Opened } from "./call/dispatch.js"
import type { Context, NodePort } from "./context.js"
import type { Dialect } from "./schema/param.js"

/** The rows of one moment, given back after use. */
export interface Snapshot extends View {
  release(): void
}

/** How many answers are kept between two changes of the state. */
const MAX_CACHED = 256

/** What contexts are made of. */
export interface ContextsOptions {
  readonly dialect: Dialect
  readonly rules: Rules
  readonly node: NodePort
  /** Takes a snapshot of the last accepted state. */
  snapshot(): Snapshot
  /** What the handlers of some services are given besides: `{ keystore, dev }`. */
  readonly ports?: object
}

/**
 * Hands out contexts. All calls between two changes of the state share one snapshot and what was cached over it; it is given back
 * when the state has changed and the last of them has answered.
 */
export class Contexts {
  readonly #options: ContextsOptions
  readonly #unsubscribe: () => void
  #head: Head | undefined

  constructor(options: ContextsOptions) {
    this.#options = options
    this.#unsubscribe = options.node.onAccepted(() => this.#forget())
  }

  open(): Opened {
    this.#head ??= new Head(this.#options)
    this.#head.hold()
    return this.#head
  }

  /**
   * A context for calls that may take long and never look at the state, as those of `dev`: they keep no snapshot alive, for which a
   * store on disk would grow.
   */
  openUnheld(): Opened {
    this.#head ??= new Head(this.#options)
    return { context: this.#head.context, release: () => {} }
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
class Head implements Opened {
  readonly context: Context
  readonly #options: ContextsOptions
  #snapshot: Snapshot | undefined
  #holders = 0
  #isRetired = false

  constructor(options: ContextsOptions) {
    this.#options = options
    this.context = Object.assign(new HeadContext(options, () => this.#view()), options.ports)
  }

  hold(): void {
    this.#holders++
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
    if (!this.#isRetired || this.#holders > 0) return
    this.#snapshot?.release()
    this.#snapshot = undefined
  }
}

class HeadContext implements Context {
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
