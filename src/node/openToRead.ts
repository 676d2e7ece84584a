import type { Store } from "../store/store.js"
import { chainDir } from "./chainData.js"
import { holdsFork } from "./fork/forkDirectory.js"
import { openForkToRead } from "./fork/openForkToRead.js"
import { type OpenStore, openStore } from "./openStore.js"

/**
 * Opens the chain in a data directory for reading, also while another process writes; a fork together with the chain below it. Throws
 * `store.*`.
 */
export async function openToRead(dataDir: string, log?: OpenStore["log"]): Promise<Store> {
  const options = { readOnly: true, ...(log ? { log } : {}) }
  return holdsFork(dataDir) ? openForkToRead(dataDir, options) : openStore(chainDir(dataDir), options)
}
