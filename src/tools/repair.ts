import { silentLog } from "../core/lib/log.js"
import { clearExplorer } from "../core/readmodel/explorer/projectExplorer.js"
import { explorerTables } from "../core/readmodel/explorer/tables.js"
import { rebuildReadModel } from "../core/readmodel/fold.js"
import { historyGap } from "../core/readmodel/historyGap.js"
import type { HistoryGap } from "../core/readmodel/tables.js"
import { READ_MODEL_VERSION } from "../core/readmodel/versions.js"
import { heightOf } from "../core/state/tables.js"
import { nodeError } from "../datadir/errors.js"
import { openStore } from "../datadir/openStore.js"
import { bringUpHistory } from "../datadir/readModel.js"
import { storedChain } from "../datadir/storedChain.js"
import { type ChainCheck, checkInWorker } from "./check/checkChain.js"

export interface RepairOptions {
  readonly dir: string
  /** Called with the progress of a part of the work. */
  onPart(what: "indexes" | "read model", done: number, of: number | undefined): void
  /** Called when parts of the final check begin, see `ChainCheck`. */
  readonly begin: ChainCheck["begin"]
}

/**
 * Rebuilds everything that a store derives from its blocks and its state: the indexes over its tables, and the read model. Then it checks
 * the whole store. Throws `store.*`, `node.damaged` if blocks or state are damaged, which cannot be rebuilt, and `node.history_incomplete` if
 * the history of a block cannot be made.
 */
export async function repairChain({ begin, ...options }: RepairOptions): Promise<{ readonly height: bigint }> {
  const { height, gap } = await rebuild(options)
  await checkInWorker(options.dir, { begin })
  if (gap) throw nodeError("node.history_incomplete", { missingFrom: gap.height, reason: gap.reason })
  return { height }
}

async function rebuild({ dir, onPart }: Omit<RepairOptions, "begin">): Promise<{ height: bigint; gap: HistoryGap | undefined }> {
  const store = openStore(dir, { mustExist: true, isRepair: true })
  try {
    store.checkFile()
    const { genesis } = storedChain(store)
    store.rebuildIndexes((done, of) => onPart("indexes", done, of))
    store.putMeta({ readModel: undefined })
    let parts = 0
    rebuildReadModel(store, genesis, () => onPart("read model", ++parts, undefined))
    store.putMeta({ readModel: READ_MODEL_VERSION })
    const hadHistory = store.latest.get(explorerTables.progress, null)?.isPaused === false
    clearExplorer(store)
    if (hadHistory) bringUpHistory(store, genesis, "on", silentLog)
    return { height: heightOf(store.latest), gap: historyGap(store.latest) }
  } finally {
    await store.close()
  }
}
