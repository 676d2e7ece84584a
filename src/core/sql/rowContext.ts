import { LruCache } from "../lib/lruCache.js"
import type { PlacedTx, ReadModelGenesis } from "../readmodel/acceptedBlock.js"
import { ownersOfOutput } from "../readmodel/owners.js"
import type { Rules } from "../rules/context.js"
import type { Edits, View } from "../state/view.js"
import type { Address } from "../types/address.js"
import type { ID } from "../types/id.js"
import type { RowBatch } from "./sqlTable.js"
import type { Texts } from "./texts.js"

/** Facts about a chain besides its state. */
export interface PublishedChainFacts {
  readonly genesis: ReadModelGenesis
  /** The first rows of the state and the read model. */
  readonly genesisEdits: Edits
  readonly rules: Rules
  readonly texts: Texts
}

/** The context in which rows are made: the state, the facts about the chain, and the rows so far. */
export interface RowContext extends PublishedChainFacts {
  readonly view: View
  readonly rows: RowBatch
  readonly owners: OwnerCache
}

export interface TxPlace extends PlacedTx {
  /** The time of the chain after the block, Unix seconds. */
  readonly time: bigint
}

/** A part of the chain whose blocks are published together. */
export interface PublishedRange {
  /** The lowest and the highest height. */
  readonly from: bigint
  readonly to: bigint
}

/** The owners of the outputs that were created last. */
export type OwnerCache = LruCache<readonly Address[]>

/** The number of outputs whose owners are cached. Most outputs are spent soon, or after months. */
const REMEMBERED = 25_000

export const ownerCache = (): OwnerCache => new LruCache(REMEMBERED)

const keyOf = (txID: ID, outputIndex: number): string => `${txID}${outputIndex}`

export function rememberOwners({ owners }: RowContext, txID: ID, outputIndex: number, addresses: readonly Address[]): void {
  owners.set(keyOf(txID, outputIndex), addresses)
}

export function ownersOfSpent({ owners, view }: RowContext, spent: SpentOutput): readonly Address[] {
  return owners.get(keyOf(spent.txID, spent.outputIndex)) ?? ownersOfOutput(view, spent)
}

type SpentOutput = Parameters<typeof ownersOfOutput>[1]
