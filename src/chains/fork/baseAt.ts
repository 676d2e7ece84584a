import { rmSync } from "node:fs"
import { chainDir, genesisEdits, openChainData } from "../../chaindata/chainData.js"
import { nodeTables, tablesBesideChain } from "../../chaindata/nodeTables.js"
import { openStore } from "../../chaindata/openStore.js"
import { reexecute } from "../../chaindata/reexecute.js"
import { Chain } from "../../core/chain/chain.js"
import { wrapperTables } from "../../core/consensus/proposer/tables.js"
import type { Log } from "../../core/lib/log.js"
import { project } from "../../core/readmodel/fold.js"
import { READ_MODEL_VERSION } from "../../core/readmodel/versions.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { Edits } from "../../core/state/view.js"
import { emptyView } from "../../core/state/view.js"
import { devTables } from "../../producer/tables.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import type { Store } from "../../store/store.js"
import { progressLog } from "../catchUpReport.js"
import { type ForkBase, forkBaseOf, inheritedMeta, openForkBase } from "./forkBase.js"

/**
 * Makes the chain as it was at an earlier height. A store cannot be reverted, so the blocks are executed again from genesis, with the read
 * model. An interrupted attempt in `dir`, the data directory of the new chain, continues where it stopped. Without one the chain is in memory.
 */
export async function baseAt(original: ForkBase, height: bigint, dir: string | undefined, log: Log): Promise<ForkBase> {
  const target =
    dir === undefined ? new MemoryStore({ tables: nodeTables, tablesBesideChain }) : openTarget(dir, original, height)
  try {
    const { genesis, rules } = openChainData(original.store, { now: 0n })
    if (target.latest.get(tables.lastAccepted, null) === undefined) {
      const meta = { ...inheritedMeta(original.store), readModel: READ_MODEL_VERSION }
      // Both are written in one commit, because an attempt that finds a genesis continues from it.
      target.commit(new Map([...genesisEdits({ genesis, rules }), ...besideBlocks(original, height)]), { meta })
    }
    const chain = new Chain({ rules, state: target, trustSignatures: true, project })
    const logProgress = progressLog({ log, now: () => performance.now() })
    const onBlock = (reached: bigint) =>
      logProgress("executing the blocks up to the fork", { height: reached, target: height }, { reached, height })
    await reexecute(original.store.latest, { chain, store: target, until: height, onBlock })
  } catch (error) {
    await target.close()
    throw error
  }
  if (dir === undefined) return forkBaseOf(target, "")
  await target.close()
  return openForkBase(dir)
}

/** Opens the store of an interrupted attempt. A store of another chain, or beyond the height, is replaced. */
function openTarget(dir: string, original: ForkBase, height: bigint): Store {
  const store = openStore(chainDir(dir), { isLazy: true })
  const last = store.latest.get(tables.lastAccepted, null)
  if (!last || (last.height <= height && original.store.latest.get(tables.blockIDs, last.height) === last.id)) return store
  void store.close()
  rmSync(dir, { recursive: true, force: true })
  return openStore(chainDir(dir), { isLazy: true })
}

/** Returns the rows that blocks do not determine: UTXOs that wait to be imported, identities, and overrides and Warp heights up to the height. */
function besideBlocks({ store }: ForkBase, height: bigint): Edits {
  const diff = new Diff(emptyView)
  for (const [key, row] of store.latest.rows(tables.atomicUtxos)) diff.put(tables.atomicUtxos, key, row)
  for (const [key, row] of store.latest.rows(devTables.identities)) diff.put(devTables.identities, key, row)
  for (const [key, row] of store.latest.rows(devTables.overrides))
    if (row.height <= height) diff.put(devTables.overrides, key, row)
  for (const [key, row] of store.latest.rows(wrapperTables.warpHeights))
    if (key <= height) diff.put(wrapperTables.warpHeights, key, row)
  return diff.edits
}
