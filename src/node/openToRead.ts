import type { Store } from "../store/store.js"
import { chainDir } from "./chainData.js"
import { holdsFork } from "./fork/forkDirectory.js"
import { openForkToRead } from "./fork/openForkToRead.js"
import { openStore } from "./openStore.js"

/**
 * Opens the chain in a data directory for reading, also while another process writes; a fork together with the chain below it. Throws
 * `store.*`.
 */
export async function openToRead(dataDir: string): Promise<Store> {
  return holdsFork(dataDir) ? openForkToRead(dataDir, { readOnly: true }) : openStore(chainDir(dataDir), { readOnly: true })
}
