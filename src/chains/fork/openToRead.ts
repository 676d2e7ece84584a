import { chainDir } from "../../chaindata/chainData.js"
import { type OpenStore, openStore } from "../../chaindata/openStore.js"
import type { Store } from "../../store/store.js"
import { holdsFork } from "./forkDirectory.js"
import { openForkToRead } from "./openForkToRead.js"

/**
 * Opens the chain in a data directory for reading, also while another process writes; a fork together with the chain below it. Throws
 * `store.*`.
 */
export async function openToRead(dataDir: string, log?: OpenStore["log"]): Promise<Store> {
  const options = { readOnly: true, ...(log ? { log } : {}) }
  return holdsFork(dataDir) ? openForkToRead(dataDir, options) : openStore(chainDir(dataDir), options)
}
