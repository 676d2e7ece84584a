import { LOCAL_ID } from "../networks/names.js"
import { chainDir, defaultDataDir } from "./chainData.js"
import { type Node, type NodeOptions, startNode } from "./node.js"
import { openStore } from "./openStore.js"

/** What serving is started with. */
export interface ServeOptions extends Omit<NodeOptions, "store" | "mode" | "choice" | "producer" | "onFault"> {
  readonly networkID?: number | undefined
}

/** Answers for the chain in a data directory, without extending it. Throws `store.missing` where there is none. */
export function startServing(options: ServeOptions): Promise<Node> {
  const dataDir = options.dataDir ?? defaultDataDir(options.networkID ?? LOCAL_ID)
  const store = openStore(chainDir(dataDir), { mustExist: true })
  return startNode({ ...options, dataDir, store, mode: "serve", choice: { networkID: options.networkID, now: 0n } })
}
