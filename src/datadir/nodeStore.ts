import { MemoryStore } from "../store/memory/memoryStore.js"
import type { Store } from "../store/store.js"
import { nodeTables, tablesBesideChain } from "./nodeTables.js"
import type { OpenStore } from "./openStore.js"
import { chainDir } from "./places.js"

/** Opens the store of a node: in a data directory, or in memory. LMDB is loaded on use, because it takes as long as the rest of a start. */
export async function openNodeStore(dataDir: string | undefined, { log, allowsSharedVolume }: OpenStore): Promise<Store> {
  if (dataDir === undefined) return new MemoryStore({ tables: nodeTables, tablesBesideChain })
  const { openStore } = await import("./openStore.js")
  return openStore(chainDir(dataDir), { log, allowsSharedVolume })
}
