import { join } from "node:path"
import { type ChainData, genesisEdits } from "../../chaindata/chainData.js"
import { nodeError } from "../../chaindata/errors.js"
import { nodeTables } from "../../chaindata/nodeTables.js"
import { bringUpHistory } from "../../chaindata/readModel.js"
import { reexecute } from "../../chaindata/reexecute.js"
import { Chain } from "../../core/chain/chain.js"
import { encode } from "../../core/codec/decode.js"
import { OuterChain } from "../../core/consensus/proposer/outerChain.js"
import type { Genesis } from "../../core/genesis/genesis.js"
import { equalBytes } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import { silentLog } from "../../core/lib/log.js"
import { hasExplorerRows } from "../../core/readmodel/explorer/projectExplorer.js"
import { explorerTableList, explorerTables } from "../../core/readmodel/explorer/tables.js"
import { rebuildReadModel } from "../../core/readmodel/fold.js"
import { historyGap } from "../../core/readmodel/historyGap.js"
import { historyProjections, readModelTables } from "../../core/readmodel/index.js"
import { readTables } from "../../core/readmodel/tables.js"
import { placeOfSet, segmentAt } from "../../core/readmodel/validatorSets/segmentAt.js"
import { buildSegment } from "../../core/readmodel/validatorSets/segmentBuilder.js"
import { setAt, setSegment } from "../../core/readmodel/validatorSets/setSegment.js"
import { currentSet, type ValidatorSet } from "../../core/rules/validatorSet.js"
import { subnetsWithChanges } from "../../core/state/setChanges.js"
import { type AnyPrimaryTable, type AnyTable, isPrimary } from "../../core/state/table.js"
import { allTables, heightOf, tables } from "../../core/state/tables.js"
import type { IndexedView, View } from "../../core/state/view.js"
import { devTables } from "../../producer/tables.js"
import { openLmdbStore } from "../../store/lmdb/openLmdbStore.js"
import { allRows } from "../../store/maintenance/copyRows.js"
import { stateHash } from "../../store/maintenance/stateHash.js"
import type { Store } from "../../store/store.js"

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
    const outer = new OuterChain(new Chain({ rules: data.rules, state: store, trustSignatures: true }))
    await reexecute(view, { outer, store, until: heightOf(view), now: Date.now, onBlock })
    compareRows(view, store.latest, allTables, NOT_DETERMINED)
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

/** Compares the read model with one of the replayed blocks, as far as it is kept up with the chain. Throws `node.damaged`. */
function checkReadModel(kept: View, replayed: Store, genesis: Genesis): void {
  rebuildReadModel(replayed, genesis)
  const skipped = [...APART, ...(historyGap(kept) ? historyProjections.flatMap((each) => each.tables) : [])]
  compareRows(kept, replayed.latest, readModelTables, skipped)
  checkSetSegments(kept, replayed.latest)
  if (!hasExplorerRows(kept)) return
  // The history begins with the overrides.
  replayed.commit(allRows(kept, [devTables.overrides]))
  bringUpHistory(replayed, genesis, "on", silentLog)
  compareRows(kept, replayed.latest, explorerTableList, [explorerTables.progress])
}

/** Tables that are compared in another way, or only if they are updated with the chain. */
const APART: readonly AnyPrimaryTable[] = [
  readTables.setProgress,
  readTables.setSegments,
  readTables.historyGap,
  ...explorerTableList,
]

/** Compares the rows of two states in these tables, except for the indexes and the skipped ones. Throws `node.damaged`. */
function compareRows(kept: View, replayed: View, tables: readonly AnyTable[], skipped: readonly AnyTable[]): void {
  for (const table of tables.filter(isPrimary)) {
    if (!skipped.includes(table) && stateHash(kept, [table]) !== stateHash(replayed, [table])) throw otherRows(table.name)
  }
}

/** Compares segments of past validator sets. Each is built again between its own bounds, which depend on when it was made. Throws `node.damaged`. */
function checkSetSegments(kept: View, replayed: IndexedView): void {
  for (const subnetID of subnetsWithChanges(replayed)) {
    let end = 0n
    for (const [{ upTo }, segment] of kept.rows(readTables.setSegments, { under: { subnetID } })) {
      const place = placeOfSet(replayed, subnetID, upTo)
      const set: ValidatorSet = place ? setAt(segmentAt(replayed, place), upTo) : new Map()
      const { from, rows } = buildSegment(replayed, subnetID, set, upTo, (height) => height <= segment.from)
      const isSame = from === end && equalBytes(encode(setSegment, segment), encode(setSegment, { from, rows }))
      if (!isSame) throw otherRows("setSegments")
      end = upTo
    }
    const progress = kept.get(readTables.setProgress, subnetID)
    const isSame = progress?.since === end && progress.members === currentSet(replayed, subnetID).size
    if (!isSame) throw otherRows("setProgress")
  }
}

const otherRows = (table: string) => nodeError("node.damaged", { fault: `replaying the blocks gives other rows of ${table}` })
