import { join } from "node:path"
import { type ChainData, genesisEdits } from "../../chaindata/chainData.js"
import { nodeError } from "../../chaindata/errors.js"
import { nodeTables } from "../../chaindata/nodeTables.js"
import { reexecute } from "../../chaindata/reexecute.js"
import { Chain } from "../../core/chain/chain.js"
import { Invalid } from "../../core/lib/invalid.js"
import { type AnyTable, isPrimary } from "../../core/state/table.js"
import { allTables, heightOf, tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { openLmdbStore } from "../../store/lmdb/openLmdbStore.js"
import { checkReadModel, compareRows } from "./checkReadModel.js"

/** Tables that blocks alone do not determine: UTXOs from other chains, and a proposal without its option. */
const NOT_DETERMINED: readonly AnyTable[] = [tables.atomicUtxos, tables.waitingProposal]

interface ReplayContext {
  readonly data: ChainData
  /** True if the read model is present in this version. */
  readonly hasReadModel: boolean
  /** The directory of the store in which they are executed. The caller removes it. */
  readonly scratch: string
  onBlock(): void
}

/**
 * Executes all blocks of a chain again in a store of its own, with the overrides at their heights, and compares the rows with those of the
 * chain, including the read model. Signatures are not verified again, because the hashes of the blocks cover them. Throws `node.damaged`,
 * and `store.*` if the store of its own cannot be written.
 */
export async function checkReplay(view: View, { data, hasReadModel, scratch, onBlock }: ReplayContext): Promise<void> {
  const store = openLmdbStore({ dir: join(scratch, "chain"), tables: nodeTables, isLazy: true })
  try {
    store.commit(genesisEdits(data))
    const chain = new Chain({ rules: data.rules, state: store, trustSignatures: true })
    await reexecute(view, { chain, store, until: heightOf(view), onBlock })
    compareRows(
      view,
      store.latest,
      allTables.filter(isPrimary).filter((table) => !NOT_DETERMINED.includes(table)),
    )
    if (hasReadModel) checkReadModel(view, store, data.genesis)
  } catch (error) {
    if (!(error instanceof Invalid) || error.code === "node.damaged") throw error
    // If the disk has no room for the store, the chain itself may still be correct.
    if (error.code.startsWith("store.")) throw error
    const { height, rule } = error.data as { height?: bigint; rule?: string }
    throw nodeError("node.damaged", { fault: `replaying the blocks fails at height ${height}: ${rule ?? error.code}` })
  } finally {
    await store.close()
  }
}
