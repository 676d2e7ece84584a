import { type Block, decodeBlock, txsOf } from "../blocks/block.js"
import { wrapperTables } from "../consensus/proposer/tables.js"
import type { PlacedTx } from "../readmodel/acceptedBlock.js"
import { readTables } from "../readmodel/tables.js"
import { tables } from "../state/tables.js"
import type { Edits, View } from "../state/view.js"
import type { ID } from "../types/id.js"
import { HistoryRows } from "./historyRows.js"
import { RowBatch } from "./rowBatch.js"
import { sqlTables } from "./tables.js"
import type { Texts } from "./texts.js"

/** A block of the chain. */
export interface BlockPlace {
  readonly height: bigint
  readonly id: ID
  /** The time of the chain after the block, Unix seconds. */
  readonly time: bigint
}

/** The rows of blocks that follow each other, and the last of these blocks. */
export interface PublishedPart {
  readonly last: BlockPlace
  readonly rows: RowBatch
}

/** Limits of a part. A proposal is never parted from its option. */
export interface PartLimits {
  readonly blocks: number
  /** Characters of all rows. A block that is larger is a part of its own. */
  readonly size: number
}

/** Options of collecting rows. */
export interface RowsOptions {
  readonly texts: Texts
  readonly limits: PartLimits
  /** The rows that the chain began with. */
  readonly genesis: Edits
}

const placedTxs = (block: Block): PlacedTx[] => txsOf(block).map((tx, index) => ({ tx, index, isCommitted: true }))

/** Collects the rows of the blocks from a height on; undefined where the chain has no such block. */
export function rowsFrom(view: View, from: bigint, { texts, limits, genesis }: RowsOptions): PublishedPart | undefined {
  const rows = new RowBatch()
  const history = new HistoryRows(view, rows)
  let last: BlockPlace | undefined
  let count = 0
  let isWaiting = false
  for (const [height, id] of view.rows(tables.blockIDs, { from })) {
    const block = blockAt(view, id)
    last = { height, id, time: timeAt(view, height) }
    addBlock(rows, view, { block, time: last.time, texts })
    if (height === 0n) history.addGenesis(genesis)
    else history.addBlock(height, placedTxs(block))
    count++
    isWaiting = block.kind === "BanffProposalBlock" || block.kind === "ApricotProposalBlock"
    if (!isWaiting && (count >= limits.blocks || rows.size >= limits.size)) break
  }
  if (isWaiting) throw new Error("the store has a proposal without its option")
  if (last) history.addSetChanges(from > 0n ? from : 1n, last.height)
  return last && { last, rows }
}

/** Returns a block of the chain by its height. */
export function placeAt(view: View, height: bigint): BlockPlace {
  const id = view.get(tables.blockIDs, height)
  if (id === undefined) throw new Error(`the chain has no block of height ${height}`)
  return { height, id, time: timeAt(view, height) }
}

function blockAt(view: View, id: ID): Block {
  const bytes = view.get(tables.blocks, id)
  if (!bytes) throw new Error(`the state names block ${id} and does not have it`)
  return decodeBlock(bytes, {})
}

function timeAt(view: View, height: bigint): bigint {
  const time = view.get(readTables.blockTimes, height)
  if (time === undefined) throw new Error(`the time of block ${height} is missing`)
  return time
}

interface PlacedBlock {
  readonly block: Block
  readonly time: bigint
  readonly texts: Texts
}

function addBlock(rows: RowBatch, view: View, { block, time, texts }: PlacedBlock): void {
  const { height, id, parentID, kind, bytes } = block
  const wrapperID = view.get(wrapperTables.wrapperIDs, height)
  const wrapper = wrapperID === undefined ? undefined : view.get(wrapperTables.wrappers, wrapperID)
  rows.add(sqlTables.blocks, {
    height,
    block_id: texts.id(id),
    parent_id: texts.id(parentID),
    time,
    kind: height === 0n ? "Genesis" : kind,
    tx_count: txsOf(block).length,
    size: bytes.length,
    bytes,
    wrapper_id: wrapperID === undefined ? null : texts.id(wrapperID),
    wrapper_head: wrapper?.head ?? null,
    wrapper_tail: wrapper?.tail ?? null,
  })
}
