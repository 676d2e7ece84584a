import { accessSync, constants } from "node:fs"
import { join } from "node:path"
import { Invalid } from "../../core/lib/invalid.js"
import type { Json } from "../../core/lib/json.js"
import type { Log } from "../../core/lib/log.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { hasExplorerRows } from "../../core/readmodel/explorer/projectExplorer.js"
import { historyGap } from "../../core/readmodel/historyGap.js"
import { READ_MODEL_VERSION } from "../../core/readmodel/versions.js"
import { nodeError } from "../../datadir/errors.js"
import { openStore } from "../../datadir/openStore.js"
import { chainDir, holdsFork } from "../../datadir/places.js"
import { bringUpReadModel, bringUpRows } from "../../datadir/readModel.js"
import { storedChain } from "../../datadir/storedChain.js"
import { isMadeByOneNode } from "../../datadir/storedIdentity.js"
import { reportPChainOnly } from "../../hosting/chainRecord.js"
import { openServedIdentity } from "../../node/identity/identity.js"
import { type Node, startNode } from "../../node/node.js"
import type { NodeChain, NodeHooks } from "../../node/nodeChain.js"
import type { NodeOptions } from "../../node/options.js"
import { storeError } from "../../store/errors.js"
import type { Store } from "../../store/store.js"
import { openForkToRead } from "../fork/forkBase.js"
import { readOnlyLive } from "../readOnlyLive.js"
import { StoreFollower, type StoreFollowerOptions } from "./storeFollower.js"

export interface ServeOptions extends NodeOptions {
  readonly dataDir: string
  readonly networkID?: number | undefined
}

/** Serves the chain in a data directory without extending it. Throws `store.missing` if there is none. */
export async function startServing(options: ServeOptions): Promise<Node> {
  const { dataDir, log, allowsSharedVolume } = options
  const isFork = holdsFork(dataDir)
  // Only one process reads the rows of a fork.
  if (isFork && options.servingProcess) throw nodeError("node.one_process", { dataDir })
  const { store, isReadOnly } = isFork
    ? { store: await openForkToRead(dataDir, { log, allowsSharedVolume }), isReadOnly: false }
    : await openForReading(chainDir(dataDir), options)
  reportPChainOnly(store, dataDir, log)
  const reader = isReadOnly ? { isSignedIn: canSignIn(chainDir(dataDir)) } : undefined
  return startNode(store, { ...options, reader }, servedNodeChain)
}

interface ServedOptions extends NodeOptions, NodeHooks, Pick<ServeOptions, "networkID"> {
  /** Given if another process extends the chain. */
  readonly reader?: Pick<StoreFollowerOptions, "isSignedIn"> | undefined
}

/** Opens the chain in a store that is not extended here. */
export async function servedNodeChain(store: Store, options: ServedOptions): Promise<NodeChain> {
  const { reader, networkID, dataDir, log, wall, identity: flags, reportFault, stateChanged, onFault: onLost } = options
  const data = storedChain(store, networkID)
  const identity = openServedIdentity({ dataDir, flags, now: wholeSeconds(wall()) })
  const [isReady, registerMetrics] = [() => true, () => {}]
  if (!reader) {
    const [live, proofs] = [readOnlyLive(store, data), bringUpRows(store, data, options)]
    return { data, identity, live, proofs, isReady, checks: [], registerMetrics, async start() {}, async stop() {} }
  }
  // A node that only reads leaves the rows and the proofs to the process that writes, and writes nothing into the directory, which may be
  // read-only.
  bringUpReadModel(store, data.genesis, log)
  const follower = new StoreFollower({ store, ...reader, onLost, reportFault, stateChanged })
  return {
    data,
    identity,
    live: readOnlyLive(store, data, isMadeByOneNode(store) ? () => false : undefined),
    isReady,
    registerMetrics,
    checks: [{ name: "directory", run: () => directoryReport(follower) }],
    // The follower reports overrides and reverts of the other process before it returns the number of the new state.
    version: () => follower.version(),
    start: async () => follower.start(),
    stop: async () => follower.stop(),
  }
}

/** Throws while changes of the other process could not be reported. */
function directoryReport({ problem }: StoreFollower): Json {
  if (problem) throw problem
  return null
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

/**
 * Opens a store for reading. A public server, or one of several processes, has no keystore and writes nothing, so other processes may write
 * to the store or serve it too (`isReadOnly`). Only a missing read model, or an upgrade, must be written first. Throws `store.outdated` if
 * that is needed and the store cannot be written.
 */
async function openForReading(dir: string, options: ServeOptions) {
  const { isPublic, servingProcess, log, allowsSharedVolume, history = "on" } = options
  const openToWrite = () => ({ store: openStore(dir, { mustExist: true, log, allowsSharedVolume }), isReadOnly: false })
  if (!isPublic && !servingProcess) return openToWrite()
  const found = await openReadOnly(dir, log)
  if (!(found instanceof Invalid)) {
    if (history === "off" || hasExplorerRows(found.latest) || historyGap(found.latest)) return { store: found, isReadOnly: true }
    await found.close()
  }
  try {
    return openToWrite()
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    if (found instanceof Invalid) throw UNWRITABLE.has(error.code) ? found : error
    // If another process writes to the store, that process adds the history.
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
