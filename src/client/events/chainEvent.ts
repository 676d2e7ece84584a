import type { BlockKind } from "../../core/blocks/block.js"
import { parseJson } from "../../core/lib/parseJson.js"
import type { TxKind } from "../../core/txs/unsignedTx.js"
import type { ServerSentEvent } from "../../jsonrpc/events/eventReader.js"

/** A transaction that a block decided. */
export interface TxAcceptedEvent {
  readonly event: "tx"
  readonly txID: string
  readonly kind: TxKind
  /** The outcome. A refused reward is `Aborted`. */
  readonly status: "Committed" | "Aborted"
  readonly height: bigint
  readonly blockID: string
  /** The time of the chain after the block, RFC 3339; absent if the node does not know it. */
  readonly timestamp?: string
  /** What the transaction does, in a few words for a person. Empty if its kind says everything. */
  readonly effect: string
}

/** A block that was accepted. It follows the events of its transactions. */
export interface BlockAcceptedEvent {
  readonly event: "block"
  readonly height: bigint
  readonly id: string
  readonly parentID: string
  readonly kind: BlockKind
  /** The time of the chain after the block, RFC 3339; absent if the node does not know it. */
  readonly timestamp?: string
  /** The IDs of its transactions. */
  readonly txs: readonly string[]
  /** The price of a unit of gas after the block, and that of one second of an L1 validator, nAVAX; absent before Etna. */
  readonly gasPrice?: bigint
  readonly validatorPrice?: bigint
}

/** Something that a block means for an L1 which the node watches (`--watch-l1`). It comes before the event of its block. */
export interface L1WatchEvent {
  readonly event: "l1"
  /** A validator that no longer pays, or a threshold of weight that will be lost within seven days (`near`) or is lost. */
  readonly kind: "deactivated" | "near" | "lost"
  readonly subnetID: string
  readonly height: bigint
  readonly blockID: string
  /** The time of the chain after the block, RFC 3339. */
  readonly timestamp: string
  /** The validator, if one was deactivated. */
  readonly validationID?: string
  readonly nodeID?: string
  readonly weight?: bigint
  /** The threshold, if one is near or lost: of deciding blocks, or of signing Warp messages. */
  readonly threshold?: "snowman" | "warp"
  /** The second in which a threshold that is near is lost if nobody acts, RFC 3339. */
  readonly lostAt?: string
}

/**
 * The chain went back: this is its last block that the subscriber has, too. All later ones that it has are gone, whatever it had seen of them. At
 * height 0, where the subscriber may have the block of another genesis, the chain begins anew.
 */
export interface RevertEvent {
  readonly event: "revert"
  readonly height: bigint
  readonly id: string
  /** The IDs of the blocks that are gone, by ascending height; absent if there are more than 1,000, or if the node no longer knows them. */
  readonly blocks?: readonly string[]
}

/** An event of a chain. `event` names its type. */
export type ChainEvent = TxAcceptedEvent | L1WatchEvent | BlockAcceptedEvent | RevertEvent

/** The members of events that are 64-bit integers. */
const INTEGERS = ["height", "gasPrice", "validatorPrice", "weight"]

export function chainEventOf({ name, data }: ServerSentEvent): ChainEvent {
  const members = Object.entries(parseJson(data) as object)
  const read = members.map(([key, value]) => [key, INTEGERS.includes(key) ? BigInt(value) : value])
  return { event: name, ...Object.fromEntries(read) }
}
