import { copyFileSync, cpSync, existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { heightOf } from "../core/state/tables.js"
import { nodeError } from "../datadir/errors.js"
import { openStore } from "../datadir/openStore.js"
import { chainDir } from "../datadir/places.js"
import { makeOwnerDirectory, restrictToOwner } from "../files/ownerOnly.js"
import { hostingFolder, recordsIn } from "../hosting/chainRecord.js"
import { stakingFolder } from "../node/identity/identity.js"
import { openToRead } from "../sources/fork/forkBase.js"
import { type ChainCheck, checkInWorker } from "./check/checkChain.js"

export interface NodeBackupOptions {
  readonly dataDir: string
  readonly target: string
  /** True if the node's keys are copied, too. */
  readonly withKeys?: boolean
  /** True if the rows and blocks of the copy are checked too, and not only its pages. */
  readonly verifies: boolean
  /** Called when a part of the check begins, see `ChainCheck`. */
  readonly begin: ChainCheck["begin"]
  /** Aborts the backup. Nothing of it is left then. */
  readonly interrupted?: AbortSignal
}

export interface Backup {
  readonly height: bigint
  readonly bytes: number
  /** The folder of the node's keys, if the data directory has one that was not copied. */
  readonly keysLeftOut: string | undefined
  /** The names of the L1s whose data was copied. */
  readonly l1s: readonly string[]
}

/**
 * Copies the state of a chain at one moment, also while a node has it open. It checks the copy before it renames it to its final name.
 * Throws `store.*`, `node.damaged` and `node.keys_not_copied`; nothing of the copy is left then.
 */
export async function backupChain(options: NodeBackupOptions): Promise<Backup> {
  const { dataDir, target, withKeys = false, verifies, begin, interrupted } = options
  const keys = stakingFolder(dataDir)
  const store = await openToRead(dataDir)
  try {
    if (withKeys && !existsSync(keys))
      throw nodeError("node.keys_not_copied", { folder: keys, reason: "there is no such folder" })
    const pages = Math.floor(store.statistics().bytes / PAGE_BYTES)
    // A damaged page would end the process while it is copied.
    store.checkFile()
    const verify = (part: string) => checkInWorker(part, { begin })
    const onBytes = copyProgress(begin, pages)
    await store.backup(chainDir(target), { onBytes, interrupted, ...(verifies ? { verify } : {}) })
    const facts = await copyFacts(chainDir(target))
    copyVMFiles(dataDir, target)
    if (withKeys) copyKeys(keys, target)
    return { ...facts, keysLeftOut: !withKeys && existsSync(keys) ? keys : undefined }
  } finally {
    await store.close()
  }
}

async function copyFacts(dir: string): Promise<Pick<Backup, "height" | "bytes" | "l1s">> {
  const copy = openStore(dir, { readOnly: true })
  const l1s = recordsIn(copy.latest).map(({ name }) => name)
  const facts = { height: heightOf(copy.latest), bytes: copy.statistics().bytes, l1s }
  await copy.close()
  return facts
}

/** Copies the files that VMs of L1s keep beside their database, which are no part of the moment that the store was copied at. */
function copyVMFiles(dataDir: string, target: string): void {
  if (existsSync(hostingFolder(dataDir))) cpSync(hostingFolder(dataDir), hostingFolder(target), { recursive: true })
}

/** Copies the files of a node's keys, for their owner only. Throws `node.keys_not_copied`, and removes the copy of the chain. */
function copyKeys(keys: string, target: string): void {
  const folder = stakingFolder(target)
  try {
    makeOwnerDirectory(folder)
    for (const name of readdirSync(keys)) {
      copyFileSync(join(keys, name), join(folder, name))
      restrictToOwner(join(folder, name))
    }
  } catch (error) {
    for (const dir of [folder, chainDir(target)]) rmSync(dir, { recursive: true, force: true })
    throw nodeError("node.keys_not_copied", { folder: keys, reason: (error as Error).message })
  }
}

const PAGE_BYTES = 4096

/** Reports how many pages were copied. Free pages are not copied, so fewer may be copied in the end. */
function copyProgress(begin: ChainCheck["begin"], total: number): (bytes: number) => void {
  let onPage: (() => void) | undefined
  let copied = 0
  return (bytes) => {
    onPage ??= begin({ unit: "pages copied", total })
    for (const pages = Math.floor(bytes / PAGE_BYTES); copied < pages; copied++) onPage()
  }
}
