import type { OnPart } from "../store/rebuildIndexes.js"
import type { Store } from "../store/store.js"
import { chainDir } from "./chainData.js"
import { holdsFork } from "./fork/forkDirectory.js"
import { openForkToRead } from "./fork/openForkToRead.js"
import { openStore } from "./openStore.js"

/**
 * Opens the chain in a data directory for reading, also while another process writes; a fork together with the chain below it. Throws
 * `store.*`. `onCheck` is called while a large data file is read before it is used.
 */
export async function openToRead(dataDir: string, onCheck?: OnPart): Promise<Store> {
  const options = { readOnly: true, ...(onCheck ? { onCheck } : {}) }
  return holdsFork(dataDir) ? openForkToRead(dataDir, options) : openStore(chainDir(dataDir), options)
}
