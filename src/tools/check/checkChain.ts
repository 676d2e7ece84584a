import { storedChainData } from "../../chaindata/chainData.js"
import { nodeError } from "../../chaindata/errors.js"
import { nodeTables } from "../../chaindata/nodeTables.js"
import { openStore } from "../../chaindata/openStore.js"
import { blockBytesAt, decodeAccepted } from "../../core/blocks/acceptedBlocks.js"
import { type Block, txsOf } from "../../core/blocks/block.js"
import { equalBytes } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import { readModelTables } from "../../core/readmodel/index.js"
import { READ_MODEL_VERSION } from "../../core/readmodel/versions.js"
import type { AnyPrimaryTable } from "../../core/state/table.js"
import { heightOf, tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { type ID, idOf, idText } from "../../core/types/id.js"
import type { Store } from "../../store/store.js"
import { Thread, workerProgram } from "../../workers/thread.js"
import { checkRows, countOf } from "../summary.js"
import { checkReplay } from "./checkReplay.js"

/** One part of a check: the name of the counted items, and their number. */
export interface CheckPart {
  readonly unit: "pages copied" | "rows" | "blocks" | "blocks executed"
  readonly total: number
}

export interface ChainCheck {
  /** Also executes the blocks again, with a store in this directory, which the caller removes. */
  readonly deepIn?: string | undefined
  /** Called when a part begins. The returned function is called for each piece of the part. */
  begin(part: CheckPart): () => void
}

/**
 * Checks a whole store: the data file, every row with its indexes, and every block with its hash and its parent. With `deepIn` it executes the
 * blocks again and compares the rows, including those of the read model. Throws `store.damaged` and `node.damaged`.
 */
export async function checkChain(store: Store, { deepIn, begin }: ChainCheck): Promise<void> {
  store.checkFile()
  const { rows } = store.statistics()
  const view = store.view()
  try {
    // A read model of another version is rebuilt when the chain is served.
    const hasReadModel = store.getMeta("readModel") === READ_MODEL_VERSION
    const checked = nodeTables.filter((table) => hasReadModel || !readModelTables.includes(table))
    checkRows(view, begin({ unit: "rows", total: Object.values(rows).reduce((sum, count) => sum + count, 0) }), checked)
    const data = storedChainData(store)
    const blocks = Number(heightOf(view)) + 1
    checkBlocks(view, data.genesis.block.id, begin({ unit: "blocks", total: blocks }))
    if (deepIn !== undefined) {
      const onBlock = begin({ unit: "blocks executed", total: blocks })
      await checkReplay(view, { data, hasReadModel, scratch: deepIn, onBlock })
    }
  } finally {
    view.release()
  }
}

/** Opens the store in a directory for reading, checks all of it, and closes it. Throws `store.*` and `node.damaged`. */
export async function checkStore(dir: string, check: ChainCheck): Promise<void> {
  const store = openStore(dir, { readOnly: true })
  try {
    await checkChain(store, check)
  } finally {
    await store.close()
  }
}

/** A check that runs in a worker thread. */
export type CheckTask = Pick<ChainCheck, "deepIn"> & { readonly dir: string }

/** A note of the thread: the part that begins, or the number of pieces of it that are done. */
export type CheckNote = { readonly part: CheckPart } | { readonly done: number }

/** Checks a store in a thread of its own, so that this one can draw progress and handle signals. Throws `store.*`, `node.damaged`. */
export async function checkInWorker(dir: string, { deepIn, begin }: ChainCheck): Promise<void> {
  const program = workerProgram("checkWorker")
  // Sources that were not bundled have no program for a thread.
  if (program === undefined) return checkStore(dir, { deepIn, begin })
  let onPiece = () => {}
  let reported = 0
  const onNote = (note: CheckNote) => {
    if ("part" in note) [onPiece, reported] = [begin(note.part), 0]
    else for (; reported < note.done; reported++) onPiece()
  }
  const thread = new Thread<CheckTask, void, CheckNote>(program)
  try {
    await thread.request({ dir, deepIn }, onNote)
  } finally {
    thread.end()
  }
}

/** Checks that each block has its hash and follows the previous one, and that its transactions are recorded. Throws `node.damaged`. */
function checkBlocks(view: View, genesisBlockID: ID, onBlock: () => void): void {
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
    const rows = countOf(view.rows(table))
    if (BigInt(rows) !== last + 1n) throw damage(`${table.name} has ${rows} rows and should have ${last + 1n}`)
  }
}

const damage = (fault: string): Invalid => nodeError("node.damaged", { fault })
