import { type Block, decodeBlock, executeBlock, txsOf } from "../blocks/block.js"
import type { Parent } from "../blocks/defineBlock.js"
import { blockError } from "../blocks/errors.js"
import { possessionCache } from "../crypto/bls.js"
import { type RecoverCache, recoverCache } from "../crypto/recoverCache.js"
import { type BlockContext, chainTimeOf, type Rules } from "../rules/context.js"
import { recordPriceChanges } from "../rules/feePrices.js"
import { recordL1Changes } from "../rules/l1Record.js"
import { verifyWarpMessage } from "../rules/warp.js"
import { DecodedRows } from "../state/decodedRows.js"
import { Diff } from "../state/diff.js"
import { END_STEP, type Fact, type FactSource, stepOfTx, TIME_STEP } from "../state/facts.js"
import { recordSetChanges } from "../state/setChanges.js"
import { recordTerms } from "../state/stakingTerms.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { Tx } from "../txs/tx.js"
import type { Address } from "../types/address.js"
import { type ID, idText } from "../types/id.js"
import { checkBlockSize } from "./sizes.js"
import type { StatePort } from "./statePort.js"
import { stateAfterBlock, VerifiedBlocks } from "./verifiedBlocks.js"
import { highestWarpHeight, warpMessagesOf } from "./warpHeight.js"

export interface ChainOptions {
  readonly rules: Rules
  readonly state: StatePort
  /** True if imports are checked, see `BlockContext`. */
  readonly checksImports?: boolean
  readonly trustSignatures?: boolean
  readonly isImpersonated?: (owner: Address) => boolean
  /** Called with the changes of every accepted block (a proposal together with its option), to add the rows of the read model. */
  readonly project?: (changes: Diff, blocks: readonly Block[]) => void
}

/** Context in which a block is verified, besides the state. */
export interface VerifyOptions {
  /** The local clock, Unix seconds. */
  readonly now: bigint
  /**
   * The P-Chain height at which its Warp messages are verified, as its wrapper names it; by default the highest height at which all are
   * valid.
   */
  readonly pChainHeight?: bigint
}

/**
 * Number of verified proofs of possession that are cached. A transaction is checked when it arrives, when it is packed, and in its block.
 */
const VERIFIED_POSSESSIONS = 1024

/** Number of recovered signers that are cached: more than there are in the blocks that are read ahead. The inputs of a transaction often repeat one signature. */
const RECOVERED_SIGNERS = 32_768

/**
 * The number of rows of several blocks that are enough for one commit. LMDB keeps a list of the pages that the last commits have freed, and
 * reads all of it at each commit: after larger groups each further group, and each single block, takes longer.
 */
const GROUP_ROWS = 6000

/** A clock at which every lock has ended, and no block is from the future. */
const AFTER_ALL_TIMES = 2n ** 64n - 1n

/** The head of a chain: the last accepted state, and the verified blocks above it as diffs on diffs. */
export class Chain {
  readonly rules: Rules
  readonly #state: StatePort
  readonly #project: NonNullable<ChainOptions["project"]>
  readonly #signers: RecoverCache = recoverCache(() => this.rules.crypto.secp256k1, RECOVERED_SIGNERS)
  readonly #verifyPossession = possessionCache(() => this.rules.crypto.bls, VERIFIED_POSSESSIONS)
  readonly #verified = new VerifiedBlocks()
  readonly #decodedTxs = new DecodedRows()
  /** Accepted changes that are not committed: a proposal waits for its option, and in a replay blocks are committed together. */
  #head: Diff
  #lastAccepted: { readonly id: ID; readonly height: bigint }
  /** Memo of `blockContextAt` for the current clock and head. A block is built, verified and decided at one moment. */
  #blockContext: BlockContext

  constructor(options: ChainOptions) {
    const { rules, state, checksImports = false, trustSignatures = false, isImpersonated, project = () => {} } = options
    this.rules = rules
    this.#state = state
    this.#project = project
    this.#head = this.#diffOn(state.latest)
    this.#blockContext = {
      ...rules,
      now: 0n,
      lastAccepted: this.#head,
      checksImports,
      trustSignatures,
      isImpersonated,
      verifyPossession: this.#verifyPossession,
      signerOf: this.#signers.signer,
    }
    const last = state.latest.get(tables.lastAccepted, null)
    if (!last) throw new Error("the state has no last accepted block: genesis was never applied")
    this.#lastAccepted = last
    const waiting = state.latest.get(tables.waitingProposal, null)
    if (waiting) this.#restoreProposal(decodeBlock(waiting))
  }

  /** The last accepted block. A proposal counts before its option is accepted, although its changes do not. */
  get lastAccepted(): { readonly id: ID; readonly height: bigint } {
    return this.#lastAccepted
  }

  /** The accepted proposal without an option, if there is one. Only an option can follow it. */
  get waitingProposal(): Block | undefined {
    return this.#verified.waitingProposal?.block
  }

  /** Returns a verified block that is not decided yet; also the accepted proposal without an option. */
  undecidedBlock(id: ID): Block | undefined {
    return this.#verified.get(id)?.block
  }

  /** The state after the last accepted and decided block. */
  get state(): View {
    return this.#head
  }

  /**
   * Returns the state after the last accepted block or a verified one; `undefined` for other blocks, and for proposals, which only options
   * can follow.
   */
  stateAfter(id: ID): View | undefined {
    if (this.waitingProposal?.id === id) return undefined
    if (id === this.#lastAccepted.id) return this.#head
    return this.#verified.stateAfter(id)
  }

  /** Returns the context in which transactions are executed at this time of the local clock (Unix seconds). */
  blockContextAt(now: bigint): BlockContext {
    if (this.#blockContext.now === now && this.#blockContext.lastAccepted === this.#head) return this.#blockContext
    this.#blockContext = { ...this.#blockContext, now, lastAccepted: this.#head }
    return this.#blockContext
  }

  /** Returns whether this chain checks all of a transaction: not of an import, where the exports of other chains are unknown. */
  checks({ unsignedTx }: Tx): boolean {
    return this.#blockContext.checksImports || unsignedTx.kind !== "ImportTx"
  }

  /** Remembers the address that was recovered from a signature before its block is executed. */
  rememberSigner(txID: ID, signature: Uint8Array, address: string): void {
    this.#signers.remember(txID, signature, address)
  }

  /** Verifies a block on its parent, and stores its changes. Throws `Invalid` if it breaks a rule. */
  verify(block: Block, { now, pChainHeight }: VerifyOptions): void {
    const known = this.#verified.processing(block.id)
    if (known?.warpHeights.has(pChainHeight)) return
    this.#verifyWarp(block, pChainHeight)
    // Another wrapper may name another height for the same block; the changes of the block stay the same.
    if (known) {
      known.warpHeights.add(pChainHeight)
      return
    }
    checkBlockSize(block, this.rules, chainTimeOf(this.#head))
    const parent = this.#parentOf(block)
    const outcome = executeBlock(block, parent, this.blockContextAt(now))
    this.#verified.checkImports(block, outcome)
    const timestamp = outcome.kind === "decided" ? chainTimeOf(outcome.diff) : chainTimeOf(outcome.abort)
    this.#verified.add({ block, outcome, timestamp, warpHeights: new Set([pChainHeight]) })
  }

  /**
   * Accepts a verified child of the last accepted block. A proposal is only stored; its option writes both, under the option's height.
   * Nothing is written to the disk before `flush`. `record` adds rows that are written together with the block.
   */
  accept(id: ID, record?: (changes: Diff) => void): Block {
    const accepted = this.#verified.processing(id)
    if (!accepted) throw new Error(`block ${idText(id)} was never verified`)
    const { block, outcome } = accepted
    if (block.parentID !== this.#lastAccepted.id) throw new Error(`block ${idText(id)} is no child of the last accepted one`)
    if (outcome.kind === "proposed") {
      this.#lastAccepted = this.#verified.accept(block, accepted)
      this.#head.put(tables.waitingProposal, null, block.bytes)
      record?.(this.#head)
      return block
    }
    this.#changesOf(block, outcome.diff, record).applyTo(this.#head)
    this.#lastAccepted = this.#verified.accept(block)
    return block
  }

  /** Returns all changes of a decided block, together with those of the proposal that it decides. */
  #changesOf(block: Block, executed: Diff, record?: (changes: Diff) => void): Diff {
    const changes = this.#diffOn(this.#head)
    const proposal = this.#verified.waitingProposal
    if (proposal) {
      changes.delete(tables.waitingProposal, null)
      if (proposal.outcome.kind === "proposed") proposal.outcome.decision?.applyTo(changes)
      recordBlock(changes, proposal.block)
    }
    executed.applyTo(changes)
    recordFacts(changes, proposal?.block ?? block)
    recordSetChanges(changes, block.height)
    recordPriceChanges(changes, this.rules, block.height)
    recordL1Changes(changes, block.height)
    recordTerms(changes, block.height)
    recordBlock(changes, block)
    changes.put(tables.lastAccepted, null, { id: block.id, height: block.height })
    record?.(changes)
    this.#project(changes, proposal ? [proposal.block, block] : [block])
    return changes
  }

  /** Writes everything accepted since the last flush in one transaction of the store. */
  flush(): void {
    if (this.#head.size === 0) return
    this.#state.commit(this.#head.edits)
    this.#head = this.#diffOn(this.#state.latest)
  }

  #diffOn(state: View): Diff {
    return new Diff(state, this.#decodedTxs)
  }

  /** True if enough is accepted that it should be written before more blocks are executed. */
  get isGroupFull(): boolean {
    return this.#head.size > GROUP_ROWS
  }

  /**
   * Executes a proposal again that was accepted before the last stop, so that its option can follow. It is not judged again: the clock by
   * which it was accepted is not known, and a chain that is opened may check more than the one that accepted it.
   */
  #restoreProposal(block: Block): void {
    const unjudged = { now: AFTER_ALL_TIMES, trustSignatures: true, checksImports: false }
    const outcome = executeBlock(block, this.#parentOf(block), { ...this.#blockContext, ...unjudged })
    if (outcome.kind !== "proposed") throw new Error(`the waiting block ${idText(block.id)} is no proposal`)
    const restored = { block, outcome, timestamp: chainTimeOf(outcome.abort), warpHeights: new Set<bigint | undefined>() }
    this.#lastAccepted = this.#verified.accept(block, restored)
  }

  #parentOf(block: Block): Parent {
    const parent = this.#verified.get(block.parentID)
    if (parent) {
      const { id, height } = parent.block
      const { outcome, timestamp } = parent
      const decided = outcome.kind === "decided"
      return { id, height, timestamp, state: decided ? this.#stateBelow(id) : undefined, proposal: decided ? undefined : outcome }
    }
    const timestamp = chainTimeOf(this.#head)
    if (block.parentID === this.#lastAccepted.id) {
      const { id, height } = this.#lastAccepted
      return { id, height, timestamp, state: this.#stateBelow(id), proposal: undefined }
    }
    const earlier = this.#head.get(tables.blocks, block.parentID)
    if (!earlier) throw blockError("block.unknown_parent", { parentID: idText(block.parentID) }).dependingOn("height")
    // No block can be built on a block that has a successor, because its state no longer exists.
    return { id: block.parentID, height: decodeBlock(earlier).height, timestamp, state: undefined, proposal: undefined }
  }

  /** Returns the state on which the children of a block are executed. */
  #stateBelow(parentID: ID): View {
    return stateAfterBlock(() => this.#verified.stateAfter(parentID) ?? this.#head)
  }

  #verifyWarp(block: Block, pChainHeight: bigint | undefined): void {
    const messages = warpMessagesOf(block)
    if (messages.length === 0) return
    const context = {
      crypto: this.rules.crypto,
      networkID: this.rules.networkID,
      lastAccepted: this.#head,
      trustSignatures: this.#blockContext.trustSignatures,
    }
    if (pChainHeight === undefined) highestWarpHeight(messages, this.#parentOf(block).height, context)
    else for (const message of messages) verifyWarpMessage(message, { ...context, pChainHeight })
  }
}

/** Records the facts of the block that was executed: an option executes nothing. */
function recordFacts(diff: Diff, executed: Block): void {
  const facts = diff.takeFacts()
  if (facts.length === 0) return
  const txIDs = txsOf(executed).map(({ id }) => id)
  const stepOf = (by: FactSource) => (by === "time" ? TIME_STEP : by === "end" ? END_STEP : stepOfTx(txIDs.indexOf(by)))
  diff.insert(
    tables.facts,
    executed.height,
    facts.map(({ by, ...fact }) => ({ ...fact, step: stepOf(by) }) as Fact),
  )
}

function recordBlock(diff: Diff, { id, height, bytes }: Block): void {
  diff.put(tables.blocks, id, bytes)
  diff.put(tables.blockIDs, height, id)
}
