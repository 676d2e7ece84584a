import { faultsInBlocks } from "../../core/chain/faultsInBlocks.js"
import { faultsInState } from "../../core/chain/faultsInState.js"
import { readModelTables } from "../../core/readmodel/index.js"
import { READ_MODEL_VERSION } from "../../core/readmodel/versions.js"
import { heightOf } from "../../core/state/tables.js"
import { nodeError } from "../../datadir/errors.js"
import { faultsInFacts } from "../../datadir/faultsInFacts.js"
import { faultsInReadModel } from "../../datadir/faultsInReadModel.js"
import { nodeTables } from "../../datadir/nodeTables.js"
import { openStore } from "../../datadir/openStore.js"
import { storedChain } from "../../datadir/storedChain.js"
import { storedIdentity } from "../../datadir/storedIdentity.js"
import { bls } from "../../platform/backends.js"
import type { Store } from "../../store/store.js"
import { Thread, workerProgram } from "../../workers/thread.js"
import { checkRows } from "../summary.js"
import { checkReplay } from "./checkReplay.js"

/** One part of a check: the name of the counted items, and their number. */
export interface CheckPart {
  readonly unit: "pages copied" | "rows" | "blocks and transactions" | "rows compared" | "blocks executed"
  readonly total: number
}

export interface ChainCheck {
  /** Also executes the blocks again, with a store in this directory, which the caller removes. */
  readonly deepIn?: string | undefined
  /** Called when a part begins. The returned function is called for each piece of the part. */
  begin(part: CheckPart): () => void
}

/**
 * Checks a whole store: the data file, every row with its indexes, every block with its hash and its parent, that the tables of the state
 * agree, and that facts and the read model are those of the blocks. With `deepIn` it executes the blocks again and compares the rows, including those of the read model. Throws `store.damaged` and `node.damaged`.
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
    const data = storedChain(store)
    const total = (rows.blockIDs ?? 0) + (rows.txs ?? 0)
    requireNone(faultsInBlocks(view, data.genesis.block.id), begin({ unit: "blocks and transactions", total }))
    requireNone(faultsInState(view, bls()))
    const onRow = begin({ unit: "rows compared", total: 2 * (rows.blockIDs ?? 0) + (rows.utxos ?? 0) })
    requireNone((hasReadModel ? faultsInReadModel : faultsInFacts)(view, data), onRow)
    if (deepIn !== undefined) {
      const onBlock = begin({ unit: "blocks executed", total: Number(heightOf(view)) + 1 })
      const hasOverrides = storedIdentity(store)?.kind === "private"
      await checkReplay(view, { data, hasReadModel, hasOverrides, scratch: deepIn, onBlock })
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

/** Throws `node.damaged` with the first fault. */
function requireNone(faults: Iterable<string | undefined>, onRow: () => void = () => {}): void {
  for (const fault of faults) {
    if (fault !== undefined) throw nodeError("node.damaged", { fault })
    onRow()
  }
}
