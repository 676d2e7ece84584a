import { tables } from "../core/state/tables.js"
import { chainDir, defaultDataDir } from "./chainData.js"
import { openStore } from "./openStore.js"

/** What is copied, and where to. */
export interface BackupOptions {
  readonly dataDir: string | undefined
  readonly networkID: number
  readonly target: string
}

/** Copies a chain as it is at one moment, beside a node that may have it open. Tells the copy's height. Throws `store.*`. */
export async function backupChain({ dataDir, networkID, target }: BackupOptions): Promise<{ readonly height: bigint }> {
  const store = openStore(chainDir(dataDir ?? defaultDataDir(networkID)), { readOnly: true })
  try {
    await store.backup(chainDir(target))
  } finally {
    await store.close()
  }
  const copy = openStore(chainDir(target), { readOnly: true })
  try {
    return { height: copy.latest.get(tables.lastAccepted, null)?.height ?? 0n }
  } finally {
    await copy.close()
  }
}
