import { chainDir } from "../../chaindata/chainData.js"
import { nodeError } from "../../chaindata/errors.js"
import { tablesBesideChain } from "../../chaindata/nodeTables.js"
import { type OpenStore, openStore } from "../../chaindata/openStore.js"
import { OverlayStore } from "../../store/overlay/overlayStore.js"
import type { Store } from "../../store/store.js"
import { baseOfFork, checkUnchanged, type ForkBase, forkRecordIn } from "./forkBase.js"
import { forkDir, holdsFork, overlayTables } from "./forkDirectory.js"

/**
 * Opens the fork in a data directory over the chain below it, for reading only. Throws `store.*`, `node.fork_busy` and `node.fork_changed`.
 */
export async function openForkToRead(
  dataDir: string,
  options: Pick<OpenStore, "readOnly" | "allowsSharedVolume" | "log">,
): Promise<Store> {
  const own = openStore(forkDir(dataDir), {
    tables: [...overlayTables.values()],
    tablesBesideChain,
    mustExist: true,
    ...options,
  })
  let base: ForkBase | undefined
  try {
    const record = forkRecordIn(own)
    if (!record) throw nodeError("node.no_chain", { dir: dataDir })
    base = await baseOfFork(dataDir, record)
    checkUnchanged(record, base)
    return new OverlayStore({ base: base.store, own, overlayTables, tablesBesideChain })
  } catch (error) {
    await base?.store.close()
    await own.close()
    throw error
  }
}

/**
 * Opens the chain in a data directory for reading, also while another process writes; a fork together with the chain below it. Throws
 * `store.*`.
 */
export async function openToRead(dataDir: string, log?: OpenStore["log"]): Promise<Store> {
  const options = { readOnly: true, ...(log ? { log } : {}) }
  return holdsFork(dataDir) ? openForkToRead(dataDir, options) : openStore(chainDir(dataDir), options)
}
