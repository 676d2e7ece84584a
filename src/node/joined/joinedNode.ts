import { LOCAL_ID } from "../../core/networks/names.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import { chainDir, defaultDataDir } from "../chainData.js"
import { failure } from "../failure.js"
import { type Node, startNode } from "../node.js"
import type { NodeOptions } from "../nodeOptions.js"
import { nodeTables, tablesBesideChain } from "../nodeTables.js"
import { loadPublishedGenesis } from "../published/publishedGenesis.js"

/** Options of a node that joins a network. */
export interface JoinedNodeOptions extends Omit<NodeOptions, "store" | "mode" | "onFault" | "producer" | "loadState"> {
  readonly join: NonNullable<NodeOptions["join"]>
  readonly isEphemeral: boolean
  /** Allows a store on a shared volume, see `OpenStore`. */
  readonly allowsSharedVolume?: boolean
}

/** A node that has joined a network. */
export interface JoinedNode extends Node {
  /** Data directory; `undefined` if nothing is stored. */
  readonly dataDir: string | undefined
  /** Rejects when a fault in Serac stops the chain. */
  readonly failed: Promise<never>
}

/** Joins a network, with data in memory or on the disk. */
export async function startJoinedNode(options: JoinedNodeOptions): Promise<JoinedNode> {
  const { isEphemeral, log, allowsSharedVolume } = options
  const choice = { ...options.choice, publishedGenesis: await loadPublishedGenesis(options.choice.networkID) }
  const dataDir = isEphemeral ? undefined : (options.dataDir ?? defaultDataDir(choice.networkID ?? LOCAL_ID))
  const { failed, fail } = failure()
  const store =
    dataDir === undefined
      ? new MemoryStore({ tables: nodeTables, tablesBesideChain })
      : (await import("../openStore.js")).openStore(chainDir(dataDir), {
          log,
          ...(allowsSharedVolume ? { allowsSharedVolume } : {}),
        })
  const node = await startNode({ ...options, choice, dataDir, store, mode: "join", onFault: fail })
  return { ...node, dataDir, failed }
}
