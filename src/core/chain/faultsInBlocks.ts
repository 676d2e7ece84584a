import { decodeAccepted } from "../blocks/acceptedBlocks.js"
import { type Block, txsOf } from "../blocks/block.js"
import { equalBytes } from "../lib/bytes.js"
import { Invalid } from "../lib/invalid.js"
import { rowFault } from "../state/rowFault.js"
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
  if (!last) return yield rowFault(view, tables.lastAccepted, null, { source: "every chain", due: { words: "its last block" } })
  let parentID: ID | undefined
  const time = view.get(tables.timestamp, null)
  let txs = 0
  for (let height = 0n; height <= last.height; height++) {
    const block = blockOrFault(view, height)
    // The blocks after it cannot be checked without it.
    if (typeof block === "string") return yield block
    if (height === 0n && block.id !== genesisBlockID)
      yield rowFault(view, tables.blockIDs, height, { source: "genesis", due: genesisBlockID })
    if (parentID !== undefined && block.parentID !== parentID)
      yield rowFault(view, tables.blockIDs, height - 1n, { source: `block ${height}`, due: block.parentID })
    if (height > 0n) txs += yield* faultsInTxsOf(view, block, last.height)
    parentID = block.id
    if (height === last.height && "time" in block && block.time !== time)
      yield rowFault(view, tables.timestamp, null, { source: `block ${height}`, due: block.time, block: height })
    yield undefined
  }
  if (parentID !== last.id && parentID !== undefined)
    yield rowFault(view, tables.lastAccepted, null, { source: "blockIDs", due: { id: parentID, height: last.height } })
  yield* surplusBlocks(view, last.height)
  yield* faultsInTxs(view, txs, last.height)
}

function blockOrFault(view: View, height: bigint): Block | string {
  const id = view.get(tables.blockIDs, height)
  if (id === undefined)
    return rowFault(view, tables.blockIDs, height, { source: "lastAccepted", due: { words: "a block of this height" } })
  const bytes = view.get(tables.blocks, id)
  const fault = (source: string, words: string) => rowFault(view, tables.blocks, id, { source, due: { words }, block: height })
  if (!bytes) return fault(`blockIDs under ${height}`, "the bytes of the block")
  if (idOf(bytes) !== id) return fault("their hash", `the block ${idOf(bytes)}`)
  try {
    const block = decodeAccepted(bytes)
    return block.height === height ? block : fault(`blockIDs under ${height}`, `another height than ${block.height}`)
  } catch (error) {
    if (error instanceof Invalid) return fault("their decoding", error.code)
    throw error
  }
}

/** Finds blocks beyond the last one, and blocks that are at no height. They are looked for where there are too many. */
function* surplusBlocks(view: View, last: bigint): Iterable<string> {
  const isTooMany = (rows: Iterable<unknown>) => {
    let count = 0n
    for (const _ of rows) count++
    return count !== last + 1n
  }
  if (isTooMany(view.rows(tables.blockIDs)))
    for (const [height] of view.rows(tables.blockIDs, { from: last + 1n }))
      yield rowFault(view, tables.blockIDs, height, { source: "lastAccepted", due: undefined })
  if (!isTooMany(view.rows(tables.blocks))) return
  const placed = new Set<ID>()
  for (const [height, id] of view.rows(tables.blockIDs)) if (height <= last) placed.add(id)
  for (const [id] of view.rows(tables.blocks))
    if (!placed.has(id)) yield rowFault(view, tables.blocks, id, { source: "blockIDs", due: undefined })
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
    if (!isRecorded) {
      const words = `its bytes, with a height from ${block.height} to ${last}`
      yield rowFault(view, tables.txs, id, { source: `block ${block.height}`, due: { words }, block: block.height })
    } else if (row.height <= block.height + 1n) decided++
  }
  return decided
}

/** Checks the record of all transactions, of which the blocks after genesis have this number. */
function* faultsInTxs(view: View, inBlocks: number, last: bigint): Iterable<string | undefined> {
  let afterGenesis = 0
  for (const [txID, { status, height, bytes }] of view.rows(tables.txs)) {
    const fault = (source: string, words: string) => rowFault(view, tables.txs, txID, { source, due: { words } })
    if (idOf(bytes) !== txID || !isTx(bytes))
      yield fault("the hash of its bytes", `${idText(idOf(bytes))}, if that is a transaction`)
    if (status !== TxStatus.committed && status !== TxStatus.aborted) yield fault("every block", "the status 4 or 5")
    if (height > 0n) afterGenesis++
    yield undefined
  }
  if (afterGenesis !== inBlocks) yield* surplusTxs(view, last)
}

/** Finds transactions that no block at their height has. */
function* surplusTxs(view: View, last: bigint): Iterable<string> {
  const heights = new Map<ID, bigint[]>()
  for (let height = 1n; height <= last; height++) {
    const block = blockOrFault(view, height)
    for (const { id } of typeof block === "string" ? [] : txsOf(block)) heights.set(id, [...(heights.get(id) ?? []), height])
  }
  for (const [txID, { height }] of view.rows(tables.txs)) {
    const known = heights.get(txID)
    if (height === 0n || known?.some((each) => height === each || height === each + 1n)) continue
    const due = known && { words: `the height of block ${known.join(" or ")}, or of its option` }
    yield rowFault(view, tables.txs, txID, { source: "the blocks", due })
  }
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
