import { join } from "node:path"
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
import { readModelTables } from "../../core/readmodel/index.js"
import { readTables } from "../../core/readmodel/tables.js"
import { placeOfSet, segmentAt } from "../../core/readmodel/validatorSets/segmentAt.js"
import { buildSegment } from "../../core/readmodel/validatorSets/segmentBuilder.js"
import { setAt, setSegment } from "../../core/readmodel/validatorSets/setSegment.js"
import { currentSet, type ValidatorSet } from "../../core/rules/validatorSet.js"
import { subnetsWithChanges } from "../../core/state/setChanges.js"
import type { AnyPrimaryTable, AnyTable } from "../../core/state/table.js"
import { allTables, heightOf, tables } from "../../core/state/tables.js"
import type { IndexedView, View } from "../../core/state/view.js"
import { nodeError } from "../../datadir/errors.js"
import { nodeTables } from "../../datadir/nodeTables.js"
import { bringUpHistory } from "../../datadir/readModel.js"
import { reexecute } from "../../datadir/reexecute.js"
import { genesisEdits, type StoredChain } from "../../datadir/storedChain.js"
import { openLmdbStore } from "../../store/lmdb/openLmdbStore.js"
import type { Store } from "../../store/store.js"
import { compareRows, otherRow } from "./compareRows.js"

/** The table that blocks and overrides do not determine: a proposal without its option. */
const NOT_DETERMINED: readonly AnyTable[] = [tables.waitingProposal]

interface ReplayContext {
  readonly data: StoredChain
  /** True if the read model is present in this version. */
  readonly hasReadModel: boolean
  /** True if the chain records what other chains put for it and took from it, as a private chain does. */
  readonly hasOverrides: boolean
  /** The directory of the store in which they are executed. The caller removes it. */
  readonly scratch: string
  onBlock(): void
}

/**
 * Executes all blocks of a chain again in a store of its own, with the overrides at their heights, and compares the rows with those of the
 * chain, including the read model. Signatures are not verified again, because the hashes of the blocks cover them. Throws `node.damaged`,
 * and `store.*` if the store of its own cannot be written.
 */
export async function checkReplay(view: View, context: ReplayContext): Promise<void> {
  const { data, hasReadModel, hasOverrides, scratch, onBlock } = context
  const store = openLmdbStore({ dir: join(scratch, "chain"), tables: nodeTables, isLazy: true })
  try {
    store.commit(genesisEdits(data))
    const outer = new OuterChain(new Chain({ rules: data.rules, state: store, trustSignatures: true }))
    await reexecute(view, { outer, store, until: heightOf(view), now: Date.now, onBlock })
    compareRows(view, store.latest, allTables, hasOverrides ? NOT_DETERMINED : [tables.atomicUtxos, ...NOT_DETERMINED])
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

/**
 * Compares the read model with one of the replayed blocks, as far as it is kept up with the chain: a gap in it is known, and the health check
 * names it. Throws `node.damaged`.
 */
function checkReadModel(kept: View, replayed: Store, genesis: Genesis): void {
  if (historyGap(kept)) return
  rebuildReadModel(replayed, genesis)
  compareRows(kept, replayed.latest, readModelTables, APART)
  checkSetSegments(kept, replayed.latest)
  if (!hasExplorerRows(kept)) return
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

/** Compares segments of past validator sets. Each is built again between its own bounds, which depend on when it was made. Throws `node.damaged`. */
function checkSetSegments(kept: View, replayed: IndexedView): void {
  for (const subnetID of subnetsWithChanges(replayed)) {
    let end = 0n
    for (const [key, segment] of kept.rows(readTables.setSegments, { under: { subnetID } })) {
      const { upTo } = key
      const place = placeOfSet(replayed, subnetID, upTo)
      const set: ValidatorSet = place ? setAt(segmentAt(replayed, place), upTo) : new Map()
      const { from, rows } = buildSegment(replayed, subnetID, set, upTo, (height) => height <= segment.from)
      const isSame = from === end && equalBytes(encode(setSegment, segment), encode(setSegment, { from, rows }))
      if (!isSame) throw otherRow(kept, readTables.setSegments, key, { from, rows })
      end = upTo
    }
    const progress = kept.get(readTables.setProgress, subnetID)
    const due = { changes: progress?.changes ?? 0, members: currentSet(replayed, subnetID).size, since: end }
    const isSame = progress?.since === due.since && progress.members === due.members
    if (!isSame) throw otherRow(kept, readTables.setProgress, subnetID, due)
  }
}
