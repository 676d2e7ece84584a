import type { ChargedPace } from "../core/lib/pace.js"
import type { Rules } from "../core/rules/context.js"
import { pastOf } from "../core/state/pastReader.js"
import { tables } from "../core/state/tables.js"
import type { IndexedView, PastReader, Snapshot } from "../core/state/view.js"
import type { ID } from "../core/types/id.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { ContextLease } from "../jsonrpc/service.js"
import type { Changes, Context, NodePort, ServicePath } from "./context.js"
import type { Memo } from "./memo.js"

/** A change of the state: an accepted block, a revert to an earlier block, or an override of the state after the last block. */
type StateChange = "block" | "revert" | "override"

/** Parts from which contexts are made. */
export interface ContextsOptions {
  readonly dialect: Dialect
  readonly rules: Rules
  readonly node: NodePort
  /** The values from which answers are made. */
  readonly memo: Memo
  /** Returns the services that the server serves; none by default. */
  readonly services?: () => readonly ServicePath[]
  /** True if rows of the past are read from another machine, see `Context`. */
  readonly isPastElsewhere?: boolean | undefined
  /** Takes a snapshot of the last accepted state. */
  snapshot(): Snapshot
  /**
   * Returns a number that changes with the state, for a state that another process changes. It may change at any time, so each call checks
   * it first. No snapshot is kept while no call reads, because the other process's file would grow meanwhile.
   */
  version?: (() => number) | undefined
}

/**
 * Lends contexts. All calls between two changes of the state share one snapshot, which is released when the state has changed and the last
 * of them has answered.
 */
export class Contexts {
  readonly #options: ContextsOptions
  readonly #unsubscribe: () => void
  #head: StateLease | undefined
  #counts = { state: 0, block: 0, revert: 0, override: 0 }

  constructor(options: ContextsOptions) {
    this.#options = options
    this.#unsubscribe = options.node.onAccepted(({ kind }) => this.#stateChanged(kind))
  }

  open(): ContextLease<Context> {
    for (;;) {
      const version = this.#options.version?.()
      if (this.#head?.version !== version) this.#stateChanged("block")
      this.#head ??= new StateLease(this.#options, this.#changes(), version)
      const head = this.#head
      // A snapshot that is taken now may have a later state than the version.
      const isCertain = version === undefined || head.hasSnapshot
      head.hold()
      if (isCertain || this.#options.version?.() === version) return head
      this.#forget()
      head.release()
    }
  }

  close(): void {
    this.#unsubscribe()
    this.#forget()
  }

  #stateChanged(kind: StateChange): void {
    this.#counts.state++
    this.#counts[kind]++
    this.#forget()
  }

  #changes(): Changes {
    const { state, revert, override } = this.#counts
    return {
      state: String(state),
      until: (height, lastHeight) => (height < lastHeight ? `${revert}` : `${revert} ${override}`),
    }
  }

  #forget(): void {
    this.#head?.retire()
    this.#head = undefined
  }
}

/** The state after one change, with the calls that read it. The snapshot is taken for the first of them. */
class StateLease implements ContextLease<Context> {
  readonly context: Context
  readonly #options: ContextsOptions
  #snapshot: Snapshot | undefined
  #holders = 0
  #isRetired = false
  /** The version of the state, see `ContextsOptions`. */
  readonly version: number | undefined

  constructor(options: ContextsOptions, changes: Changes, version: number | undefined) {
    this.#options = options
    this.version = version
    this.context = new StateContext(options, changes, () => this.#view())
  }

  get height(): bigint {
    return this.context.height
  }

  get hasSnapshot(): boolean {
    return this.#snapshot !== undefined
  }

  hold(): void {
    this.#holders++
    // A snapshot that is taken later would have another state than the one in which the call began.
    this.#view()
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
    if (this.#isRetired && this.#holders === 0)
      throw new Error("the snapshot was released, because the state has changed and no call holds it")
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
  readonly services: () => readonly ServicePath[]
  readonly memo: Memo
  readonly changes: Changes
  readonly isPastElsewhere: boolean
  readonly past = (pace: ChargedPace): PastReader => pastOf(this.view, pace)
  readonly #viewOf: () => IndexedView
  #last: { readonly id: ID; readonly height: bigint } | undefined

  constructor(options: ContextsOptions, changes: Changes, viewOf: () => IndexedView) {
    const { dialect, rules, node, memo, services = () => [], isPastElsewhere = false } = options
    this.isPastElsewhere = isPastElsewhere
    this.dialect = dialect
    this.rules = rules
    this.node = node
    this.services = services
    this.#viewOf = viewOf
    this.memo = memo
    this.changes = changes
  }

  get view(): IndexedView {
    return this.#viewOf()
  }

  get height(): bigint {
    return this.#lastAccepted().height
  }

  get lastAcceptedID(): ID {
    return this.#lastAccepted().id
  }

  #lastAccepted(): { readonly id: ID; readonly height: bigint } {
    this.#last ??= this.view.get(tables.lastAccepted, null)
    if (!this.#last) throw new Error("the state has no last accepted block: genesis was never applied")
    return this.#last
  }
}
