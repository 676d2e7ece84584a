import type { AcceptedEvent } from "../../core/blocks/acceptedEvent.js"
import type { Block } from "../../core/blocks/block.js"
import { Chain, type ChainOptions, type StatePort, type VerifyOptions } from "../../core/chain/chain.js"
import { Mempool } from "../../core/chain/mempool.js"
import { type Option, optionBlock, type Proposal, preferredOption } from "../../core/chain/options.js"
import type { RecentlyAccepted } from "../../core/chain/recentlyAccepted.js"
import { Invalid } from "../../core/lib/invalid.js"
import { doNow, type Work } from "../../core/lib/work.js"
import { nextBlockTime } from "../../core/rules/chainTime.js"
import { toGas } from "../../core/rules/gas.js"
import type { Rules } from "../../core/rules/run.js"
import type { Edits, View } from "../../core/state/view.js"
import { complexityOf } from "../../core/txs/execute.js"
import { burnedBy, takenBy } from "../../core/txs/flow.js"
import type { Tx } from "../../core/txs/tx.js"
import type { NodeID } from "../../core/types/id.js"
import type { CommitOptions } from "../../store/store.js"
import type { Clock } from "../clock/clock.js"
import type { Override } from "../tables.js"
import { type BuildContext, type Built, buildBlock, stateAt } from "./builder.js"
import { countInactive, l1ValidatorsExpiringBy } from "./l1Expiry.js"
import { addOverride, currentOverrides, type Overrides, overrideEdits } from "./overrides.js"
import { Wrappers } from "./wrappers.js"

/** Where the producer's rows end up: a store, or whoever adds more rows on the way to it. */
export interface DevState extends StatePort {
  commit(edits: Edits, options?: CommitOptions): void
}

export interface ChainHeadOptions {
  readonly rules: Rules
  readonly state: DevState
  readonly clock: Clock
  /** See `Wrappers`. */
  readonly hasWarpLag: boolean
  /** The gas that waiting transactions may take together. */
  readonly poolGas: bigint
  /** See `ChainOptions`. */
  readonly project?: ChainOptions["project"] | undefined
}

/** What came of making a block. */
export interface Extension extends Built {
  /** One, or a proposal and its option, or none. */
  readonly blocks: readonly Block[]
  readonly option: Option | undefined
  /** How many L1 validators ran dry. */
  readonly deactivated: number
}

/** The head of the private chain: its chain, its mempool and its overrides. */
export class ChainHead {
  readonly rules: Rules
  readonly clock: Clock
  readonly #state: DevState
  readonly #hasWarpLag: boolean
  readonly #poolGas: bigint
  readonly #project: ChainOptions["project"] | undefined
  readonly #listeners = new Set<(event: AcceptedEvent) => void>()
  readonly #watchers = new Set<() => void>()
  #chain!: Chain
  #wrappers!: Wrappers
  #overrides!: Overrides
  #pool: Mempool
  /** True once the node is about to stop: work that takes long ends at its next pause. */
  isInterrupted = false
  /** Accepted and not yet on the disk. */
  #unwritten: Block[] = []

  constructor({ rules, state, clock, hasWarpLag, poolGas, project }: ChainHeadOptions) {
    this.rules = rules
    this.clock = clock
    this.#state = state
    this.#hasWarpLag = hasWarpLag
    this.#poolGas = poolGas
    this.#project = project
    this.#pool = new Mempool(poolGas)
    this.reopen()
  }

  get chain(): Chain {
    return this.#chain
  }

  get pool(): Mempool {
    return this.#pool
  }

  get wrappers(): Wrappers {
    return this.#wrappers
  }

  get overrides(): Overrides {
    return this.#overrides
  }

  /** The state after the last accepted block. Indexes are those of the last flush. */
  get view(): View {
    return this.#chain.state
  }

  /** Begins anew where the store stands: after it was opened, reverted or replaced. `recent`: see `WrapperOptions`. */
  reopen(recent?: RecentlyAccepted): void {
    const { latest } = this.#state
    this.#unwritten = []
    this.#overrides = currentOverrides(latest)
    const state = { latest, commit: (edits: Edits) => this.#state.commit(this.#withWrapper(edits)) }
    this.#chain = new Chain({
      rules: this.rules,
      state,
      checksImports: true,
      impersonated: this.#overrides.impersonated,
      ...(this.#project ? { project: this.#project } : {}),
    })
    this.#wrappers = new Wrappers(latest, { rules: this.rules, clock: this.clock, hasLag: this.#hasWarpLag, recent })
  }

  /** Decides a proposal that was accepted before the last stop and waits for its option. */
  decideWaiting(now: bigint): void {
    const proposal = this.#chain.waitingProposal
    if (proposal?.kind !== "BanffProposalBlock") return
    const { block } = this.#decide(proposal, { now, pChainHeight: this.#wrappers.contextHeight() })
    this.#wrappers.accepted([proposal.height, block.height])
    this.#unwritten.push(proposal, block)
  }

  /** What a block made at a time of the clock is built with. */
  contextAt(now: bigint): BuildContext {
    return {
      parent: this.#chain.lastAccepted,
      state: this.#chain.state,
      env: this.#chain.envAt(now),
      pChainHeight: this.#wrappers.contextHeight(),
    }
  }

  /** The state as a block made now would find it: at its time, with the gas and the price of then. */
  scratchAt(now: bigint): View {
    const context = this.contextAt(now)
    return stateAt(nextBlockTime(context.state, context.env, now).time, context)
  }

  /**
   * Makes the next block of these candidates, with its option where it proposes a reward. Written by `flush`. Where stakers are
   * known to change now, `isDue` says so.
   */
  extend(candidates: Iterable<Tx>, now: bigint, isDue = false): Extension {
    return doNow(this.extending(candidates, now, isDue))
  }

  /** The same in steps, between which nobody else may change the chain. */
  *extending(candidates: Iterable<Tx>, now: bigint, isDue = false): Work<Extension> {
    const context = isDue ? { ...this.contextAt(now), cappedTo: now } : this.contextAt(now)
    const built = buildBlock([...candidates], context)
    for (const { tx, error } of built.dropped) this.drop(tx, error)
    if (!built.block) return { ...built, blocks: [], option: undefined, deactivated: 0 }
    yield
    const poor = l1ValidatorsExpiringBy(timeOf(built.block), this.view, this.rules)
    const option = yield* this.#accept(built.block, context)
    const blocks = option ? [built.block, option.block] : [built.block]
    this.#wrappers.accepted(blocks.map(({ height }) => height))
    this.#unwritten.push(...blocks)
    for (const tx of built.packed) {
      this.#pool.remove(tx.id)
      this.#pool.removeConflicts(takenBy(tx.unsignedTx))
    }
    return { ...built, blocks, option: option?.kind, deactivated: countInactive(poor, this.view) }
  }

  /** Writes what was accepted since the last time, and tells whoever listens. */
  flush(): void {
    const blocks = this.#unwritten
    this.#chain.flush()
    this.#unwritten = []
    for (const block of blocks) this.tell({ kind: "block", block })
  }

  /** Applies overrides and writes them to the store, after the blocks accepted so far. */
  applyOverrides(overrides: readonly Override[]): void {
    this.flush()
    this.#state.commit(overrideEdits(this.#state.latest, overrides, this.#overrides.count))
    for (const override of overrides) addOverride(this.#overrides, override)
    this.tell({ kind: "override" })
  }

  /** Other transactions wait from now on, those that there is room for; the drops of the old ones are forgotten. */
  replacePool(txs: Iterable<Tx>): void {
    const waiting = [...txs]
    this.#pool = new Mempool(this.#poolGas)
    for (const tx of waiting) {
      try {
        this.#pool.add(tx, this.meter(tx))
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        this.drop(tx, error)
      }
    }
  }

  meter({ unsignedTx }: Tx): { readonly gas: bigint; readonly burned: bigint } {
    const gas = toGas(complexityOf(unsignedTx), this.rules.params.dynamicFee.weights)
    return { gas, burned: burnedBy(unsignedTx, this.rules.avaxAssetID) }
  }

  /** Called after every change of the state; returns the unsubscribe. */
  listen(listener: (event: AcceptedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(event: AcceptedEvent): void {
    for (const listener of this.#listeners) listener(event)
    for (const watcher of [...this.#watchers]) watcher()
  }

  /** Called whenever something may have become of a transaction, accepted or dropped; returns the unsubscribe. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Takes a transaction out of the pool if it waits there, and remembers why. */
  drop({ id }: Pick<Tx, "id">, error: Invalid, reason = error.reference): void {
    this.#pool.remove(id)
    this.#pool.markDropped(id, { error, reason })
    for (const watcher of [...this.#watchers]) watcher()
  }

  /** Share of its time that a node was online, 0 to 1. Everybody always was, unless somebody says otherwise. */
  uptimeOf(nodeID: NodeID): number {
    return (this.#overrides.uptimes.get(nodeID) ?? 100) / 100
  }

  /** Accepts a block of our own, and the option that our uptimes prefer. A refusal is our fault: we just built it. */
  *#accept(block: Block, { env, pChainHeight }: BuildContext): Work<{ kind: Option; block: Block } | undefined> {
    const at = { now: env.now, pChainHeight }
    this.#chain.verify(block, at)
    yield
    this.#chain.accept(block.id, (changes) => this.#wrappers.record(changes, block))
    return block.kind === "BanffProposalBlock" ? this.#decide(block, at) : undefined
  }

  #decide(proposal: Proposal, at: VerifyOptions): { kind: Option; block: Block } {
    const kind = this.#optionFor(proposal)
    const block = optionBlock(proposal, kind)
    this.#chain.verify(block, at)
    this.#chain.accept(block.id, (changes) => this.#wrappers.record(changes, block))
    return { kind, block }
  }

  #optionFor(block: Proposal): Option {
    // Where everybody was always online, there is nothing to look up.
    if (this.#overrides.uptimes.size === 0) return "commit"
    return preferredOption(block, this.#chain.state, this.rules, (nodeID) => this.uptimeOf(nodeID))
  }

  #withWrapper(edits: Edits): Edits {
    return new Map([...edits, ...this.#wrappers.editsOn(this.#state.latest)])
  }
}

/** The time of a block of ours, which all have one. */
function timeOf(block: Block): bigint {
  if (!("time" in block)) throw new Error(`${block.kind} has no time`)
  return block.time
}
