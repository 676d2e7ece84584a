import { accessSync, constants } from "node:fs"
import { join } from "node:path"
import { Invalid } from "../core/lib/invalid.js"
import type { Log } from "../core/lib/log.js"
import { LOCAL_ID } from "../core/networks/names.js"
import { hasExplorerRows } from "../core/readmodel/explorer/projectExplorer.js"
import { historyGap } from "../core/readmodel/historyGap.js"
import { READ_MODEL_VERSION } from "../core/readmodel/versions.js"
import { storeError } from "../store/errors.js"
import type { Store } from "../store/store.js"
import { chainDir, defaultDataDir } from "./chainData.js"
import { nodeError } from "./errors.js"
import { holdsFork } from "./fork/forkDirectory.js"
import { openForkToRead } from "./fork/openForkToRead.js"
import { type Node, startNode } from "./node.js"
import type { NodeOptions } from "./nodeOptions.js"
import { openStore } from "./openStore.js"

/** Options of serving a chain for reading. */
export interface ServeOptions extends Omit<NodeOptions, "store" | "mode" | "choice" | "producer" | "onFault" | "follows"> {
  readonly networkID?: number | undefined
  /** Allows a store on a shared volume, see `OpenStore`. */
  readonly allowsSharedVolume?: boolean
}

/** A chain that is served. */
export interface ServedChain extends Node {
  readonly dataDir: string
  /** Rejects when the chain in the directory is no longer the one that was opened. */
  readonly failed: Promise<never>
}

/** Serves the chain in a data directory without extending it. Throws `store.missing` if there is none. */
export async function startServing(options: ServeOptions): Promise<ServedChain> {
  const dataDir = options.dataDir ?? defaultDataDir(options.networkID ?? LOCAL_ID)
  if (holdsFork(dataDir)) {
    if (options.servingProcess) throw nodeError("node.one_process", { dataDir })
    return serveFork(dataDir, options)
  }
  const { store, isReadOnly } = await openForReading(chainDir(dataDir), options)
  let onLost: (error: Error) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    onLost = reject
  })
  failed.catch(() => {})
  const follows = isReadOnly ? { onLost, isSignedIn: canSignIn(chainDir(dataDir)) } : undefined
  const choice = { networkID: options.networkID, now: 0n }
  const node = await startNode({ ...options, dataDir, store, mode: "serve", choice, follows })
  return { ...node, dataDir, failed }
}

/** Serves the fork in a data directory, which no node may have open. Only one process reads its rows. */
async function serveFork(dataDir: string, options: ServeOptions): Promise<ServedChain> {
  const { log, allowsSharedVolume, networkID } = options
  const store = await openForkToRead(dataDir, { log, allowsSharedVolume })
  const node = await startNode({ ...options, dataDir, store, mode: "serve", choice: { networkID, now: 0n } })
  return { ...node, dataDir, failed: new Promise<never>(() => {}) }
}

/** Returns whether LMDB's table of readers can be written. */
function canSignIn(dir: string): boolean {
  try {
    accessSync(join(dir, "lock.mdb"), constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A store that was opened for reading. */
interface ReadableStore {
  readonly store: Store
  /** True if another process may write to it meanwhile. */
  readonly isReadOnly: boolean
}

/**
 * Opens a store for reading. A public server, or one of several processes, has no keystore and writes nothing, so other processes may write
 * to the store or serve it too.
 * Only a missing read model, or an upgrade, must be written first. Throws `store.outdated` if that is needed and the store cannot be
 * written.
 */
async function openForReading(dir: string, options: ServeOptions): Promise<ReadableStore> {
  const { isPublic, servingProcess, log, allowsSharedVolume, history = "on" } = options
  if (!isPublic && !servingProcess)
    return { store: openStore(dir, { mustExist: true, log, allowsSharedVolume }), isReadOnly: false }
  const found = await openReadOnly(dir, log)
  if (!(found instanceof Invalid)) {
    if (history === "off" || hasExplorerRows(found.latest) || historyGap(found.latest)) return { store: found, isReadOnly: true }
    await found.close()
    return openToAddHistory(dir, options)
  }
  try {
    return { store: openStore(dir, { mustExist: true, log, allowsSharedVolume }), isReadOnly: false }
  } catch (error) {
    throw error instanceof Invalid && UNWRITABLE.has(error.code) ? found : error
  }
}

/** Opens a store that lacks the history for explorers, to add it. If another process writes to the store, that process adds it. */
function openToAddHistory(dir: string, { log, allowsSharedVolume }: ServeOptions): ReadableStore {
  try {
    return { store: openStore(dir, { mustExist: true, log, allowsSharedVolume }), isReadOnly: false }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    log.warn("the history for explorers is missing and cannot be added here", { reason: error.code })
    return { store: openStore(dir, { readOnly: true, log }), isReadOnly: true }
  }
}

const UNWRITABLE: ReadonlySet<string> = new Set(["store.not_writable", "store.read_only_disk"])

/** Returns the store, or the refusal that it must be upgraded before it can be read. */
async function openReadOnly(dir: string, log: Log): Promise<Store | Invalid> {
  try {
    const store = openStore(dir, { readOnly: true, log })
    const readModel = store.getMeta("readModel")
    if (readModel === READ_MODEL_VERSION) return store
    await store.close()
    return storeError("store.outdated", { dir, readModel, known: READ_MODEL_VERSION })
  } catch (error) {
    if (error instanceof Invalid && error.code === "store.outdated") return error
    throw error
  }
}
