import { nodeError } from "../../chaindata/errors.js"
import { blockBytesAt, decodeAccepted } from "../../core/blocks/acceptedBlocks.js"
import { type Block, txsOf } from "../../core/blocks/block.js"
import { equalBytes } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { AnyPrimaryTable } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { type ID, idOf, idText } from "../../core/types/id.js"

/**
 * Checks the blocks of a chain: each has the hash of its ID and follows the previous one, and its transactions are recorded at its height.
 * Throws `node.damaged`.
 */
export function checkBlocks(view: View, genesisBlockID: ID, onBlock: () => void): void {
  const last = view.get(tables.lastAccepted, null)
  if (!last) throw damage("there is no last accepted block")
  let parentID: ID | undefined
  for (let height = 0n; height <= last.height; height++) {
    const block = checkedBlock(view, height)
    if (height === 0n && block.id !== genesisBlockID) throw damage(`the block of height 0 is not genesis but ${idText(block.id)}`)
    if (parentID !== undefined && block.parentID !== parentID)
      throw damage(`block ${height} does not follow block ${height - 1n}`)
    if (height > 0n) checkTxs(view, block, last.height)
    parentID = block.id
    onBlock()
  }
  if (parentID !== last.id) throw damage(`the last accepted block is not the block of height ${last.height}`)
  checkCounts(view, last.height)
}

function checkedBlock(view: View, height: bigint): Block {
  const found = blockBytesAt(view, height)
  if (!found) throw damage(`there is no block of height ${height}`)
  if (idOf(found.bytes) !== found.id) throw damage(`the bytes of block ${height} have another hash`)
  try {
    const block = decodeAccepted(found.bytes)
    if (block.height !== height) throw damage(`the block of height ${height} says ${block.height}`)
    return block
  } catch (error) {
    if (error instanceof Invalid && !error.code.startsWith("node.")) throw damage(`block ${height} is none: ${error.code}`)
    throw error
  }
}

/** A transaction belongs to the block that decided it. For a proposal that is the next block. */
function checkTxs(view: View, block: Block, last: bigint): void {
  for (const { id, bytes } of txsOf(block)) {
    const row = view.get(tables.txs, id)
    const isThere = row !== undefined && (row.height === block.height || row.height === block.height + 1n) && row.height <= last
    const isKnown = isThere && equalBytes(row.bytes, bytes)
    if (!isKnown) throw damage(`transaction ${idText(id)} of block ${block.height} is not known there`)
  }
}

function checkCounts(view: View, last: bigint): void {
  for (const table of [tables.blocks, tables.blockIDs] as readonly AnyPrimaryTable[]) {
    let rows = 0n
    for (const _ of view.rows(table)) rows++
    if (rows !== last + 1n) throw damage(`${table.name} has ${rows} rows and should have ${last + 1n}`)
  }
}

const damage = (fault: string): Invalid => nodeError("node.damaged", { fault })
