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

/** A private chain was reverted to this block. */
export interface RevertEvent {
  readonly event: "revert"
  readonly height: bigint
  readonly id: string
}

/** An event of a chain. `event` names its type. */
export type ChainEvent = TxAcceptedEvent | BlockAcceptedEvent | RevertEvent

/** The members of events that are 64-bit integers. */
const INTEGERS = ["height", "gasPrice", "validatorPrice"]

/** Reads an event of a node's stream. */
export function chainEventOf({ name, data }: ServerSentEvent): ChainEvent {
  const members = Object.entries(parseJson(data) as object)
  const read = members.map(([key, value]) => [key, INTEGERS.includes(key) ? BigInt(value) : value])
  return { event: name, ...Object.fromEntries(read) }
}
