import { blockBytesAt, decodeAccepted } from "../blocks/acceptedBlocks.js"
import { type Block, txsOf } from "../blocks/block.js"
import { equalBytes } from "../lib/bytes.js"
import { Invalid } from "../lib/invalid.js"
import { TxStatus, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { decodeTx } from "../txs/tx.js"
import { type ID, idOf, idText } from "../types/id.js"

/**
 * Reads every accepted block and transaction. Yields a sentence for each fault: a block without its hash or that does not follow the
 * previous one, and a transaction that is not recorded, or recorded and in no block. Yields `undefined` after each block and transaction,
 * for pauses and progress.
 */
export function* faultsInBlocks(view: View, genesisBlockID: ID): Iterable<string | undefined> {
  const last = view.get(tables.lastAccepted, null)
  if (!last) return yield "there is no last accepted block"
  let parentID: ID | undefined
  const time = view.get(tables.timestamp, null)
  let txs = 0
  for (let height = 0n; height <= last.height; height++) {
    const block = blockOrFault(view, height)
    // The blocks after it cannot be checked without it.
    if (typeof block === "string") return yield block
    if (height === 0n && block.id !== genesisBlockID) yield `the block of height 0 is not genesis but ${idText(block.id)}`
    if (parentID !== undefined && block.parentID !== parentID) yield `block ${height} does not follow block ${height - 1n}`
    if (height > 0n) txs += yield* faultsInTxsOf(view, block, last.height)
    parentID = block.id
    if (height === last.height && "time" in block && block.time !== time)
      yield `the time of the chain is not that of block ${height}`
    yield undefined
  }
  if (parentID !== last.id) yield `the last accepted block is not the block of height ${last.height}`
  for (const table of [tables.blocks, tables.blockIDs] as const) {
    let rows = 0n
    for (const _ of view.rows<unknown, unknown>(table as never)) rows++
    if (rows !== last.height + 1n) yield `${table.name} has ${rows} rows and should have ${last.height + 1n}`
  }
  yield* faultsInTxs(view, txs)
}

function blockOrFault(view: View, height: bigint): Block | string {
  const found = blockBytesAt(view, height)
  if (!found) return `there is no block of height ${height}`
  if (idOf(found.bytes) !== found.id) return `the bytes of block ${height} have another hash`
  try {
    const block = decodeAccepted(found.bytes)
    return block.height === height ? block : `the block of height ${height} says ${block.height}`
  } catch (error) {
    if (error instanceof Invalid) return `block ${height} is none: ${error.code}`
    throw error
  }
}

/**
 * Checks that the transactions of a block are recorded, and returns the number of those that were decided with it. The option decides a
 * proposal, so it has the height of the next block. One that was aborted may have come again later, and has that height then.
 */
function* faultsInTxsOf(view: View, block: Block, last: bigint): Generator<string, number> {
  let decided = 0
  for (const { id, bytes } of txsOf(block)) {
    const row = view.get(tables.txs, id)
    const isRecorded = row !== undefined && row.height >= block.height && row.height <= last && equalBytes(row.bytes, bytes)
    if (!isRecorded) yield `transaction ${idText(id)} of block ${block.height} is not known there`
    else if (row.height <= block.height + 1n) decided++
  }
  return decided
}

/** Checks the record of all transactions, of which the blocks after genesis have this number. */
function* faultsInTxs(view: View, inBlocks: number): Iterable<string | undefined> {
  let afterGenesis = 0
  for (const [txID, { status, height, bytes }] of view.rows(tables.txs)) {
    if (idOf(bytes) !== txID || !isTx(bytes)) yield `the bytes of transaction ${idText(txID)} are not its own`
    if (status !== TxStatus.committed && status !== TxStatus.aborted) yield `transaction ${idText(txID)} has the status ${status}`
    if (height > 0n) afterGenesis++
    yield undefined
  }
  if (afterGenesis !== inBlocks) yield `${afterGenesis} transactions are recorded after genesis, and the blocks have ${inBlocks}`
}

function isTx(bytes: Uint8Array): boolean {
  try {
    decodeTx(bytes, {})
    return true
  } catch (error) {
    if (error instanceof Invalid) return false
    throw error
  }
}
