import type { AcceptedEvent } from "../../core/blocks/acceptedEvent.js"
import type { Block } from "../../core/blocks/block.js"
import type { AdmissionContext } from "../../core/chain/admission.js"
import { type AdmissionTarget, admitTx } from "../../core/chain/admitTx.js"
import { BlockBuilder, type BuildContext, type BuildResult, stateAt } from "../../core/chain/builder.js"
import { Chain, type ChainOptions, type VerifyOptions } from "../../core/chain/chain.js"
import { Mempool } from "../../core/chain/mempool.js"
import { type Option, optionBlock, type Proposal, preferredOption } from "../../core/chain/options.js"
import type { RecentBlocks } from "../../core/chain/recentBlocks.js"
import { verifyWithPauses } from "../../core/chain/verifyWithPauses.js"
import { putWarpHeight } from "../../core/consensus/proposer/wrapperStore.js"
import type { Emitter } from "../../core/lib/emitter.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { ChargedPace, Pace } from "../../core/lib/pace.js"
import { gasOf, nextBlockTime } from "../../core/rules/chainTime.js"
import type { Rules } from "../../core/rules/context.js"
import { toGas } from "../../core/rules/gas.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { Edits, IndexedView, View } from "../../core/state/view.js"
import { burnedAvax, consumedUtxoIDs } from "../../core/txs/amounts.js"
import { complexityOf } from "../../core/txs/execute.js"
import type { Tx } from "../../core/txs/tx.js"
import type { ID, NodeID } from "../../core/types/id.js"
import { isStoreFailure } from "../../store/errors.js"
import type { CommitOptions, Store } from "../../store/store.js"
import type { ReadableClock } from "../clock/clock.js"
import type { Override } from "../tables.js"
import type { ChainStatus } from "./chainStatus.js"
import { countInactive, l1ValidatorsExpiringBy } from "./l1Expiry.js"
import { addOverride, currentOverrides, type Overrides, overrideEdits, type ProjectOverride } from "./overrides.js"
import { Wrappers } from "./wrappers.js"

export interface ChainHeadOptions {
  readonly rules: Rules
  readonly store: Pick<Store, "latest" | "commit">
  /** Called with a failure to write that does not come from the disk. It is a fault in Serac, after which the node must stop. */
  readonly onFault: (error: unknown) => void
  readonly clock: ReadableClock
  readonly events: ChainEvents
  /** True if wrappers lag as AvalancheGo's do, see `Wrappers`. */
  readonly hasWarpLag: boolean
  /** The gas that the waiting transactions may use together. */
  readonly poolGas: bigint
  /** Adds the read model's rows of a block, see `ChainOptions`. */
  readonly project?: ChainOptions["project"] | undefined
  readonly projectOverride?: ProjectOverride | undefined
}

/** The result of making a block. */
export interface Extension extends BuildResult {
  /** One block, a proposal and its option, or none. */
  readonly blocks: readonly Block[]
  readonly option: Option | undefined
  /** The number of L1 validators that became inactive, because their balance was used up. */
  readonly deactivated: number
}

/** The listeners of a private chain. */
export interface ChainEvents {
  /** Sends every change of the state: an accepted block, an override, a revert. */
  readonly accepted: Emitter<AcceptedEvent>
  /** Sent when transactions may have been accepted or dropped. */
  readonly decided: Emitter<void>
}

/**
 * The head of the private chain: its chain, its mempool and its overrides. Only `PrivateChain` has it; others read it as `ChainStatus` and
 * change it through a `ChainTurn`.
 */
export class ChainHead implements ChainStatus {
  readonly rules: Rules
  readonly #options: ChainHeadOptions
  #chain!: Chain
  #wrappers!: Wrappers
  #overrides!: Overrides
  #pool: Mempool
  /** The blocks that are accepted and not written to the store yet. */
  #unwritten: Block[] = []
  readonly #admissions: AdmissionTarget = {
    pool: () => this.#pool,
    verify: (tx, pace) => verifyWithPauses(tx, () => admissionContext(this.contextAt(this.#options.clock.now())), pace),
    // A later attempt may find room in the mempool, so that refusal is not remembered.
    drop: (tx, error, reason) => error.code !== "chain.pool_full" && this.drop(tx, error, reason),
  }

  constructor(options: ChainHeadOptions) {
    this.rules = options.rules
    this.#options = options
    this.#pool = new Mempool(options.poolGas)
    this.reopen()
  }

  get lastAccepted(): { readonly id: ID; readonly height: bigint } {
    return this.#chain.lastAccepted
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

  get view(): View {
    return this.#chain.state
  }

  /** Writes everything accepted so far, and returns the store's state, whose indexes then include it. */
  written(): IndexedView {
    this.flush()
    return this.#options.store.latest
  }

  /** Drops everything that is not written and continues from the store. `recent` is described in `WrapperOptions`. */
  reopen(recent?: RecentBlocks): void {
    const { store, clock, hasWarpLag, project } = this.#options
    const { latest } = store
    this.#unwritten = []
    this.#overrides = currentOverrides(latest)
    this.#chain = new Chain({
      rules: this.rules,
      // The last wrapper is written with the blocks.
      state: { latest, commit: (edits) => this.commit(new Map([...edits, ...this.#wrappers.editsOn(latest)])) },
      checksImports: true,
      isImpersonated: (owner) => this.#overrides.impersonated.has(owner),
      ...(project ? { project } : {}),
    })
    this.#wrappers = new Wrappers(latest, { rules: this.rules, clock, hasLag: hasWarpLag, recent })
  }

  /** Decides a proposal that was accepted before the last stop and has no option yet. Returns the accepted blocks, if there are any. */
  decideWaiting(now: bigint): readonly Block[] {
    const proposal = this.#chain.waitingProposal
    if (proposal?.kind !== "BanffProposalBlock") return []
    const { block } = this.#decide(proposal, { now, pChainHeight: this.#wrappers.contextHeight() })
    this.#wrappers.accepted([proposal.height, block.height])
    this.#unwritten.push(proposal, block)
    return [proposal, block]
  }

  contextAt(now: bigint): BuildContext {
    return {
      parent: this.#chain.lastAccepted,
      state: this.#chain.state,
      blockContext: this.#chain.blockContextAt(now),
      pChainHeight: this.#wrappers.contextHeight(),
    }
  }

  scratchAt(now: bigint): View {
    const context = this.contextAt(now)
    return stateAt(nextBlockTime(context.state, context.blockContext, now).time, context)
  }

  /**
   * Makes and accepts the next block from these candidates, with its option if it proposes a reward. `flush` writes it. `isDue` says that
   * stakers are known to change at this time. Others may run while candidates are tried, but nothing else may change the chain.
   */
  async extend(candidates: Iterable<Tx>, now: bigint, pace: Pace, isDue = false): Promise<Extension> {
    const context = isDue ? { ...this.contextAt(now), cappedTo: now } : this.contextAt(now)
    const builder = new BlockBuilder(context)
    for (const tx of [...candidates]) {
      if (!builder.add(tx)) break
      if (pace.isDue) await pace.pause()
    }
    return this.#acceptBuilt(builder.finish(), context)
  }

  #acceptBuilt(built: BuildResult, context: BuildContext): Extension {
    for (const { tx, error } of built.dropped) this.drop(tx, error)
    if (!built.block) return { ...built, blocks: [], option: undefined, deactivated: 0 }
    const poor = l1ValidatorsExpiringBy(timeOf(built.block), this.view, this.rules)
    const option = this.#accept(built.block, context)
    const blocks = option ? [built.block, option.block] : [built.block]
    this.#wrappers.accepted(blocks.map(({ height }) => height))
    this.#unwritten.push(...blocks)
    for (const tx of built.packed) {
      this.#pool.remove(tx.id)
      this.#pool.removeConflicts(consumedUtxoIDs(tx.unsignedTx))
    }
    return { ...built, blocks, option: option?.kind, deactivated: countInactive(poor, this.view) }
  }

  /** Writes the blocks accepted since the last flush, and calls the listeners. */
  flush(): void {
    const blocks = this.#unwritten
    this.#chain.flush()
    this.#unwritten = []
    for (const block of blocks) this.emit({ kind: "block", block })
  }

  /** Writes rows to the store. */
  commit(edits: Edits, options?: CommitOptions): void {
    try {
      this.#options.store.commit(edits, options)
    } catch (error) {
      if (!isStoreFailure(error)) this.#options.onFault(error)
      throw error
    }
  }

  /** Applies overrides and writes them to the store, after the blocks accepted so far, with other rows in the same commit. */
  applyOverrides(overrides: readonly Override[], beside: Edits = new Map()): void {
    this.flush()
    const { store, projectOverride } = this.#options
    const edits = overrideEdits(store.latest, overrides, this.#overrides.count, projectOverride)
    this.commit(new Map([...edits, ...beside]))
    for (const override of overrides) addOverride(this.#overrides, override)
    this.emit({ kind: "override" })
  }

  /** Replaces the mempool by these transactions, as far as it has room, and forgets which were dropped. */
  replacePool(txs: Iterable<Tx>): void {
    const waiting = [...txs]
    this.#pool = new Mempool(this.#options.poolGas)
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
    return { gas, burned: burnedAvax(unsignedTx, this.rules.avaxAssetID) }
  }

  /** Verifies a transaction and adds it to the mempool, see `admitTx`. */
  admit(tx: Tx, pace: ChargedPace): Promise<void> {
    return admitTx(this.#admissions, tx, pace)
  }

  /** Calls the listeners with a change of the state. */
  emit(event: AcceptedEvent): void {
    this.#options.events.accepted.emit(event)
    this.#options.events.decided.emit()
  }

  /** Removes a transaction from the mempool if it is there, and remembers why it was dropped. */
  drop({ id }: Pick<Tx, "id">, error: Invalid, reason = error.avalanchegoMessage): void {
    this.#pool.remove(id)
    this.#pool.markDropped(id, { error, reason })
    this.#options.events.decided.emit()
  }

  uptimeOf(nodeID: NodeID): number {
    return (this.#overrides.uptimes.get(nodeID) ?? 100) / 100
  }

  /** Accepts a block that was just built, and the option that the uptimes select. A refusal of it is a fault in Serac. */
  #accept(block: Block, { blockContext, pChainHeight }: BuildContext): { kind: Option; block: Block } | undefined {
    const at = { now: blockContext.now, pChainHeight }
    this.#chain.verify(block, at)
    this.#chain.accept(block.id, (changes) => {
      this.#wrappers.record(changes, block)
      putWarpHeight(changes, block, pChainHeight)
    })
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
    // Without overrides every node was always online.
    if (this.#overrides.uptimes.size === 0) return "commit"
    return preferredOption(block, this.#chain.state, this.rules, (nodeID) => this.uptimeOf(nodeID))
  }
}

/** Returns the time of a Banff block. The private chain builds no others. */
function timeOf(block: Block): bigint {
  if (!("time" in block)) throw new Error(`${block.kind} has no time`)
  return block.time
}

/** Unlike in AvalancheGo, a transaction may wait for gas. It is refused for its gas only if no block could ever hold it. */
function admissionContext({ blockContext, state, pChainHeight }: BuildContext): AdmissionContext {
  const preferred = new Diff(state)
  preferred.put(tables.gas, null, { ...gasOf(preferred), capacity: blockContext.params.dynamicFee.maxCapacity })
  return { blockContext, preferred, pChainHeight }
}
