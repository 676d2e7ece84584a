import { existsSync } from "node:fs"
import { chainDir, defaultDataDir } from "../chaindata/chainData.js"
import { openStore } from "../chaindata/openStore.js"
import { openToRead } from "../chains/fork/openToRead.js"
import { heightOf } from "../core/state/tables.js"
import { stakingFolder } from "../node/identity/identity.js"
import type { Store } from "../store/store.js"
import type { ChainCheck } from "./check/checkChain.js"
import { checkInWorker } from "./check/checkInWorker.js"

/** Source and target of a backup. */
export interface NodeBackupOptions {
  readonly dataDir: string | undefined
  readonly networkID: number
  readonly target: string
  /** True if the rows and blocks of the copy are checked too, and not only its pages. */
  readonly verifies: boolean
  /** Called when a part of the check begins, see `ChainCheck`. */
  readonly begin: ChainCheck["begin"]
  /** Aborts the backup. Nothing of it is left then. */
  readonly interrupted?: AbortSignal
}

/** A copy of a chain. */
export interface Backup {
  readonly height: bigint
  readonly bytes: number
  /** The folder of the node's keys, if the data directory has one. It is not copied. */
  readonly keysLeftOut: string | undefined
  /** The names of the L1s whose data was copied. */
  readonly l1s: readonly string[]
}

/**
 * Copies the state of a chain at one moment, also while a node has it open. It checks the copy before it renames it to its final name.
 * Throws `store.*` and `node.damaged`; nothing of the copy is left then.
 */
export async function backupChain(options: NodeBackupOptions): Promise<Backup> {
  const { target, verifies, begin, interrupted } = options
  const dataDir = options.dataDir ?? defaultDataDir(options.networkID)
  const store = await openToRead(dataDir)
  let l1s: readonly string[] = []
  try {
    const pages = pagesOf(store)
    // A damaged page would end the process while it is copied.
    store.checkFile()
    const verify = (part: string) => checkInWorker(part, { begin })
    const onBytes = copyProgress(begin, pages)
    const copy = () => store.backup(chainDir(target), { onBytes, interrupted, ...(verifies ? { verify } : {}) })
    l1s = await (await import("../node/l1/copyL1s.js")).copyingL1s(dataDir, target, copy)
  } finally {
    await store.close()
  }
  const copy = openStore(chainDir(target), { readOnly: true })
  try {
    const keys = stakingFolder(dataDir)
    return {
      height: heightOf(copy.latest),
      bytes: copy.statistics().bytes,
      keysLeftOut: existsSync(keys) ? keys : undefined,
      l1s,
    }
  } finally {
    await copy.close()
  }
}

const PAGE_BYTES = 4096

const pagesOf = (store: Store): number => Math.floor(store.statistics().bytes / PAGE_BYTES)

/** Reports how many pages were copied. Free pages are not copied, so fewer may be copied in the end. */
function copyProgress(begin: ChainCheck["begin"], total: number): (bytes: number) => void {
  let onPage: (() => void) | undefined
  let copied = 0
  return (bytes) => {
    onPage ??= begin({ unit: "pages copied", total })
    for (const pages = Math.floor(bytes / PAGE_BYTES); copied < pages; copied++) onPage()
  }
}
