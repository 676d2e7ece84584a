import { blockError } from "../blocks/errors.js"
import { executionAt } from "../blocks/steps.js"
import { Invalid } from "../lib/invalid.js"
import { mul64 } from "../lib/math64.js"
import { isActive } from "../networks/upgrades.js"
import { gasOf } from "../rules/chainTime.js"
import { type BlockContext, chainTimeOf } from "../rules/context.js"
import { type GasState, toGas } from "../rules/gas.js"
import { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import { burnedAvax } from "../txs/amounts.js"
import { complexityOf, type Execution } from "../txs/execute.js"
import type { Tx } from "../txs/tx.js"
import { type ID, idText } from "../types/id.js"
import { tryTx } from "./tryTx.js"

/** The maximum size of a block's transactions together, bytes. A larger transaction gets a block of its own. */
const MAX_TXS_SIZE = 128 * 1024 - 512

export interface PackContext {
  readonly blockContext: BlockContext
  /** The height at which Warp messages are verified. */
  readonly pChainHeight: bigint
  /** True if gas and size do not limit the packing, to find out which transactions are still valid. */
  readonly isUnlimited?: boolean
}

/** The transactions that fit into a block, and the results for the others. */
export interface PackingResult {
  readonly packed: readonly Tx[]
  /** Transactions that are no longer valid, with the reason. */
  readonly dropped: readonly { readonly tx: Tx; readonly error: Invalid }[]
  /** The number of seconds after which there may be enough gas for the next candidate, if it needs gas that accumulates with time. */
  readonly gasReadyInSeconds: bigint | undefined
  /** True if it waits for gas and not for a lower price. */
  readonly isShortOfGas: boolean
}

/**
 * The packing of transactions into a block. It executes candidates one after the other on a state at the block's time, and takes those that
 * are valid, while gas and room last. Nothing else may change the chain meanwhile.
 */
export class Packing {
  readonly #scratch: Diff
  readonly #context: PackContext
  readonly #execution: Execution
  readonly #gas: GasState
  readonly #packed: Tx[] = []
  readonly #dropped: { readonly tx: Tx; readonly error: Invalid }[] = []
  readonly #imports = new Set<ID>()
  #size = 0
  #used = 0n
  #end: Pick<PackingResult, "gasReadyInSeconds" | "isShortOfGas"> = { gasReadyInSeconds: undefined, isShortOfGas: false }

  constructor(scratch: Diff, context: PackContext) {
    this.#scratch = scratch
    this.#context = context
    this.#execution = executionAt(scratch, context.blockContext)
    this.#gas = gasOf(scratch)
  }

  get result(): PackingResult {
    return { packed: this.#packed, dropped: this.#dropped, ...this.#end }
  }

  /** Takes the next candidate if it is valid. Returns false if neither it nor a later one fits into the block. */
  add(tx: Tx): boolean {
    const { blockContext, pChainHeight, isUnlimited = false } = this.#context
    const { price } = this.#execution
    const taken = price === undefined ? 0n : toGas(complexityOf(tx.unsignedTx), blockContext.params.dynamicFee.weights)
    const capacity = this.#gas.capacity - this.#used
    const gasReadyInSeconds = secondsShort(tx, taken, { ...this.#gas, capacity }, this.#execution)
    if (gasReadyInSeconds !== undefined && !isUnlimited) {
      this.#end = { gasReadyInSeconds, isShortOfGas: taken > capacity }
      return false
    }
    if (this.#packed.length > 0 && this.#size + tx.bytes.length > MAX_TXS_SIZE && !isUnlimited) return false
    const layer = new Diff(this.#scratch)
    const outcome = tryInBlock(tx, layer, this.#imports, this.#execution, pChainHeight)
    if (outcome instanceof Invalid) {
      if (gasReadyInSeconds === undefined) this.#dropped.push({ tx, error: outcome })
      return true
    }
    // A validator that left with this block's time may return with the next block.
    if (readdsRemovedValidator(layer, this.#scratch, blockContext)) return true
    layer.applyTo(this.#scratch)
    this.#packed.push(tx)
    this.#size += tx.bytes.length
    this.#used += taken
    return true
  }
}

/**
 * Returns how long a transaction has to wait for gas, or until gas costs no more than it pays (an estimate, which is checked again every
 * second). Later candidates pay less, so packing stops here.
 */
function secondsShort(tx: Tx, taken: bigint, { capacity }: GasState, { blockContext, price }: Execution): bigint | undefined {
  if (price === undefined) return undefined
  const { maxPerSecond, minPrice } = blockContext.params.dynamicFee
  if (taken > capacity) return secondsFor(taken - capacity, maxPerSecond)
  const isTooCheap = price > minPrice && burnedAvax(tx.unsignedTx, blockContext.avaxAssetID) < mul64(taken, price)
  return isTooCheap ? 1n : undefined
}

/** Returns the seconds until this much gas has accumulated; an hour if it never does. */
function secondsFor(gas: bigint, perSecond: bigint): bigint {
  return perSecond === 0n ? 3600n : (gas + perSecond - 1n) / perSecond
}

/** Executes a transaction after others of its block, whose imports it may not repeat. Returns the refusal, if there is one. */
function tryInBlock(tx: Tx, layer: Diff, imports: Set<ID>, execution: Execution, pChainHeight: bigint): Invalid | undefined {
  const taken = tryTx(tx, layer, execution, pChainHeight)
  if (taken instanceof Invalid) return taken
  for (const utxoID of taken) if (imports.has(utxoID)) return blockError("block.conflicting_txs", { utxoID: idText(utxoID) })
  for (const utxoID of taken) imports.add(utxoID)
  return undefined
}

/** Returns whether the block would add a validator that it removes: of the same kind, which is refused until Helicon, or to an L1. */
function readdsRemovedValidator(layer: Diff, scratch: Diff, { upgrades }: BlockContext): boolean {
  for (const { key, after } of layer.changesIn(tables.l1ValidationIDs)) {
    if (after !== undefined && scratch.hasDeleted(tables.currentValidators, key)) return true
  }
  if (isActive(upgrades, "helicon", chainTimeOf(scratch))) return false
  for (const table of [tables.currentValidators, tables.pendingValidators]) {
    for (const { key, after } of layer.changesIn(table)) {
      if (after !== undefined && scratch.hasDeleted(table, key)) return true
    }
  }
  return false
}
