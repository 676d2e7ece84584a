import type { Rules } from "../rules/run.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { ID } from "../types/id.js"
import type { Context, NodePort } from "./context.js"
import type { Opened } from "./dispatch.js"
import type { Dialect } from "./schema.js"

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

  close(): void {
    this.#unsubscribe()
    this.#forget()
  }

  #forget(): void {
    this.#head?.retire()
    this.#head = undefined
  }
}

/** The state after one change, and everyone who reads it. */
class Head implements Opened {
  readonly context: Context
  readonly #snapshot: Snapshot
  #holders = 0
  #isRetired = false

  constructor({ dialect, rules, node, snapshot, ports }: ContextsOptions) {
    this.#snapshot = snapshot()
    const { id, height } = lastAcceptedOf(this.#snapshot)
    const cache = new Map<string, unknown>()
    const context: Context = {
      dialect,
      rules,
      node,
      view: this.#snapshot,
      height,
      lastAcceptedID: id,
      cached<T>(key: string, make: () => T): T {
        if (cache.has(key)) return cache.get(key) as T
        const made = make()
        // The first in is the first out: keys may be made of what strangers ask.
        if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string)
        cache.set(key, made)
        return made
      },
    }
    this.context = Object.assign(context, ports)
  }

  hold(): void {
    this.#holders++
  }

  release(): void {
    this.#holders--
    if (this.#isRetired && this.#holders === 0) this.#snapshot.release()
  }

  retire(): void {
    this.#isRetired = true
    if (this.#holders === 0) this.#snapshot.release()
  }
}

function lastAcceptedOf(view: View): { readonly id: ID; readonly height: bigint } {
  const last = view.get(tables.lastAccepted, null)
  if (!last) throw new Error("the state has no last accepted block: genesis was never applied")
  return last
}
