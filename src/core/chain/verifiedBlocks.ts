import type { Block } from "../blocks/block.js"
import type { BlockOutcome } from "../blocks/defineBlock.js"
import { blockError } from "../blocks/errors.js"
import type { View } from "../state/view.js"
import { type ID, idText } from "../types/id.js"

/** Verified block whose changes are not in the state yet. */
export interface VerifiedBlock {
  readonly block: Block
  readonly outcome: BlockOutcome
  readonly timestamp: bigint
  /** P-Chain heights at which its Warp messages were verified. */
  readonly warpHeights: Set<bigint | undefined>
}

/**
 * The state after a block, found again at each read: the block's own changes, and the head from when it is accepted. Its children read through
 * this view, so that nothing keeps the changes of an accepted block.
 */
export const stateAfterBlock = (find: () => View): View => ({
  get decodedTxs() {
    return find().decodedTxs
  },
  get: (table, key) => find().get(table, key),
  rows: (table, range) => find().rows(table, range),
  first: (table) => find().first(table),
})

/**
 * The verified blocks above the last accepted state. Besides those that are neither accepted nor rejected, this includes an accepted
 * proposal, which waits for its option.
 */
export class VerifiedBlocks {
  readonly #processing = new Map<ID, VerifiedBlock>()
  #waitingProposal: VerifiedBlock | undefined

  get waitingProposal(): VerifiedBlock | undefined {
    return this.#waitingProposal
  }

  /** Returns a block that is neither accepted nor rejected. */
  processing(id: ID): VerifiedBlock | undefined {
    return this.#processing.get(id)
  }

  /** Returns a block that is neither accepted nor rejected, or the waiting proposal. */
  get(id: ID): VerifiedBlock | undefined {
    return this.#waitingProposal?.block.id === id ? this.#waitingProposal : this.#processing.get(id)
  }

  /** Returns the state after a block that is neither accepted nor rejected; `undefined` for other blocks, and for proposals. */
  stateAfter(id: ID): View | undefined {
    const outcome = this.#processing.get(id)?.outcome
    return outcome?.kind === "decided" ? outcome.diff : undefined
  }

  add(block: VerifiedBlock): void {
    this.#processing.set(block.block.id, block)
  }

  /** Accepts a block and rejects those that compete with it. `proposal` is given if the block is a proposal, which waits for its option. */
  accept({ id, parentID, height }: Block, proposal?: VerifiedBlock): { readonly id: ID; readonly height: bigint } {
    this.#processing.delete(id)
    for (const [other, { block }] of this.#processing) {
      if (block.parentID === parentID) this.#rejectTree(other)
    }
    this.#waitingProposal = proposal
    return { id, height }
  }

  /** Checks that a block imports no UTXO that one of its undecided ancestors imports. Throws `block.conflicting_parent_txs`. */
  checkImports({ parentID }: Block, { imports }: BlockOutcome): void {
    if (imports.size === 0) return
    for (let ancestor = this.get(parentID); ancestor; ancestor = this.get(ancestor.block.parentID)) {
      for (const each of ancestor.outcome.imports) {
        if (imports.has(each)) throw blockError("block.conflicting_parent_txs", { utxoID: idText(each) })
      }
    }
  }

  #rejectTree(id: ID): void {
    this.#processing.delete(id)
    for (const [other, { block }] of this.#processing) if (block.parentID === id) this.#rejectTree(other)
  }
}
