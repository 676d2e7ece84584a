import { blockAt } from "../../core/blocks/acceptedBlocks.js"
import { type Block, txsOf } from "../../core/blocks/block.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { readTables } from "../../core/readmodel/tables.js"
import { type FeePrices, TxStatus, tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { type DescribeOptions, describeTx } from "../../core/txs/describeTx.js"
import type { Tx } from "../../core/txs/tx.js"
import { idText } from "../../core/types/id.js"
import type { CommonPlace } from "../../jsonrpc/events/feed.js"
import { type EventFilter, matchingTxs } from "./eventFilter.js"

/** An empty list of events. */
export const NO_EVENTS: Uint8Array = new Uint8Array(0)

/** Options for the events of a block. */
export interface BlockEventOptions extends DescribeOptions {
  /** The prices after the block, if they are known. */
  readonly prices?: FeePrices | undefined
  readonly filter?: EventFilter | undefined
  /** The data of events about watched L1s. */
  readonly l1s?: readonly { readonly [name: string]: Json }[]
}

/**
 * Makes the events of an accepted block: one for each transaction that it decided, those about watched L1s, then one for the block itself. Only the last event has
 * an `id`, so that a client that loses its connection in between receives all of them again. With a filter, a block without a matching
 * transaction has no events.
 */
export function blockEvents(view: View, block: Block, options: BlockEventOptions): Uint8Array {
  const { prices, filter, l1s = [] } = options
  const blockID = idText(block.id)
  const height = block.height.toString()
  const timestamp = timestampOf(view, block)
  const decided = decidedBy(view, block)
  const shown = filter ? matchingTxs(view, block.height, decided, filter) : decided
  if (filter && shown.length === 0 && l1s.length === 0) return NO_EVENTS
  const events = shown.map((tx) => {
    const status = view.get(tables.txs, tx.id)?.status === TxStatus.aborted ? "Aborted" : "Committed"
    const { kind } = tx.unsignedTx
    const effect = describeTx(tx.unsignedTx, options)
    return event("tx", { txID: idText(tx.id), kind, status, height, blockID, ...timestamp, effect })
  })
  const blockData: Json = {
    height,
    id: blockID,
    parentID: idText(block.parentID),
    kind: block.kind,
    ...timestamp,
    txs: txsOf(block).map((tx) => idText(tx.id)),
    ...(prices === undefined ? {} : { gasPrice: prices.gas, validatorPrice: prices.validator }),
  }
  const ofL1s = l1s.map((data) => event("l1", data))
  return Buffer.from(events.join("") + ofL1s.join("") + event("block", blockData, `${height}-${blockID}`))
}

/** Makes the event of a revert: the last block that the client keeps, and the IDs of those that are gone, if they are given. */
export function revertEvent({ height, id = "", removed }: CommonPlace): Uint8Array {
  const data = { height: height.toString(), id, ...(removed === undefined ? {} : { blocks: removed }) }
  return Buffer.from(event("revert", data, `${height}-${id}`))
}

/**
 * Returns the time of the chain after a block. Blocks before Banff do not contain it, and the read model has it only for accepted blocks.
 */
function timestampOf(view: View, block: Block): { readonly timestamp?: string } {
  const time = "time" in block ? block.time : view.get(readTables.blockTimes, block.height)
  return time === undefined ? {} : { timestamp: printRfc3339(time) }
}

/**
 * Returns the transactions that a block decided. A proposal is decided by the option that follows it; every other transaction by its own
 * block.
 */
function decidedBy(view: View, block: Block): readonly Tx[] {
  switch (block.kind) {
    case "ApricotProposalBlock":
      return []
    case "BanffProposalBlock":
      return block.txs
    case "ApricotCommitBlock":
    case "ApricotAbortBlock":
    case "BanffCommitBlock":
    case "BanffAbortBlock": {
      // Genesis is a commit block without a proposal.
      const proposal = block.height === 0n ? undefined : blockAt(view, block.height - 1n)
      return proposal && "tx" in proposal ? [proposal.tx] : []
    }
    default:
      return txsOf(block)
  }
}

/** JSON has no line breaks, so one data line is enough. */
function event(name: string, data: Json, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${printJson(data)}\n\n`
}
