import type { BlockKind } from "../../core/blocks/block.js"
import { parseJson } from "../../core/lib/parseJson.js"
import type { TxKind } from "../../core/txs/unsignedTx.js"
import type { ServerSentEvent } from "../../jsonrpc/events/eventReader.js"

/** A transaction that a block decided. */
export interface TxAcceptedEvent {
  readonly event: "tx"
  readonly txID: string
  readonly kind: TxKind
  /** A reward that was refused is `Aborted`. */
  readonly status: "Committed" | "Aborted"
  readonly height: bigint
  readonly blockID: string
  /** The time of the chain after the block, RFC 3339; absent where the node does not know it. */
  readonly timestamp?: string
}

/** A block that was accepted. It comes after the events of its transactions. */
export interface BlockAcceptedEvent {
  readonly event: "block"
  readonly height: bigint
  readonly id: string
  readonly parentID: string
  readonly kind: BlockKind
  /** The time of the chain after the block, RFC 3339; absent where the node does not know it. */
  readonly timestamp?: string
  /** The IDs of its transactions. */
  readonly txs: readonly string[]
  /** The price of a unit of gas after the block, nAVAX, and that of an L1 validator's second; absent before Etna. */
  readonly gasPrice?: bigint
  readonly validatorPrice?: bigint
}

/** A private chain went back to this block. */
export interface RevertEvent {
  readonly event: "revert"
  readonly height: bigint
  readonly id: string
}

/** Something that happened on a chain. `event` says which of the three it is. */
export type ChainEvent = TxAcceptedEvent | BlockAcceptedEvent | RevertEvent

/** The integers of 64 bits among the members of events. */
const INTEGERS = ["height", "gasPrice", "validatorPrice"]

/** Reads an event of a node's stream. */
export function chainEventOf({ name, data }: ServerSentEvent): ChainEvent {
  const members = Object.entries(parseJson(data) as object)
  const read = members.map(([key, value]) => [key, INTEGERS.includes(key) ? BigInt(value) : value])
  return { event: name, ...Object.fromEntries(read) }
}
