import { Invalid } from "../core/lib/invalid.js"
import { LOCAL_ID } from "../core/networks/names.js"
import { READ_MODEL_VERSION } from "../core/readmodel/index.js"
import type { Store } from "../store/store.js"
import { chainDir, defaultDataDir } from "./chainData.js"
import { type Node, type NodeOptions, startNode } from "./node.js"
import { openStore } from "./openStore.js"

/** What serving is started with. */
export interface ServeOptions extends Omit<NodeOptions, "store" | "mode" | "choice" | "producer" | "onFault"> {
  readonly networkID?: number | undefined
  /** See `OpenStore`. */
  readonly allowsSharedVolume?: boolean
}

/** A chain that is served. */
export interface ServedChain extends Node {
  readonly dataDir: string
}

/** Answers for the chain in a data directory, without extending it. Throws `store.missing` where there is none. */
export async function startServing(options: ServeOptions): Promise<ServedChain> {
  const dataDir = options.dataDir ?? defaultDataDir(options.networkID ?? LOCAL_ID)
  const store = await openForReading(chainDir(dataDir), options)
  const node = await startNode({ ...options, dataDir, store, mode: "serve", choice: { networkID: options.networkID, now: 0n } })
  return { ...node, dataDir }
}

/**
 * A public server has no keystore, and so nothing to write: it leaves the store to others, and several may serve it. Only the
 * rows for answers may have to be made first, or the whole brought up to date.
 */
async function openForReading(dir: string, { isPublic, log, allowsSharedVolume }: ServeOptions): Promise<Store> {
  if (isPublic) {
    const store = openReadOnly(dir)
    if (store?.getMeta("readModel") === READ_MODEL_VERSION) return store
    await store?.close()
  }
  return openStore(dir, { mustExist: true, log, allowsSharedVolume })
}

/** None where the store is an older version's, which an opening to write brings up to date. */
function openReadOnly(dir: string): Store | undefined {
  try {
    return openStore(dir, { readOnly: true })
  } catch (error) {
    if (error instanceof Invalid && error.code === "store.outdated") return undefined
    throw error
  }
}
