import { tables } from "../core/state/tables.js"
import { chainDir, defaultDataDir } from "./chainData.js"
import { type ChainCheck, checkChain } from "./checkChain.js"
import { openStore } from "./openStore.js"

/** What is copied, and where to. */
export interface BackupOptions {
  readonly dataDir: string | undefined
  readonly networkID: number
  readonly target: string
  /** How the copy is checked; left out: its pages alone. */
  readonly check?: ChainCheck | undefined
}

/** A copy of a chain. */
export interface Backup {
  readonly height: bigint
  readonly bytes: number
}

/**
 * Copies a chain as it is at one moment, beside a node that may have it open, and reads the copy to make sure that it is whole. Throws
 * `store.*` and `node.damaged`.
 */
export async function backupChain({ dataDir, networkID, target, check }: BackupOptions): Promise<Backup> {
  const store = openStore(chainDir(dataDir ?? defaultDataDir(networkID)), { readOnly: true })
  try {
    // A page that is damaged would end the process while it is copied.
    store.checkPages()
    await store.backup(chainDir(target))
  } finally {
    await store.close()
  }
  const copy = openStore(chainDir(target), { readOnly: true })
  try {
    if (check) await checkChain(copy, check)
    return { height: copy.latest.get(tables.lastAccepted, null)?.height ?? 0n, bytes: copy.statistics().bytes }
  } finally {
    await copy.close()
  }
}
