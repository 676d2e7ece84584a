import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { type ChainData, genesisEdits } from "../../chaindata/chainData.js"
import { nodeError } from "../../chaindata/errors.js"
import { nodeTables } from "../../chaindata/nodeTables.js"
import { reexecute } from "../../chaindata/reexecute.js"
import { Chain } from "../../core/chain/chain.js"
import { encode } from "../../core/codec/decode.js"
import { equalBytes } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { Rules } from "../../core/rules/context.js"
import { feePricesAfter } from "../../core/rules/feePrices.js"
import { l1FeeStateAt } from "../../core/rules/l1Record.js"
import { type AnyTable, isPrimary } from "../../core/state/table.js"
import { hashedTables, heightOf, tables } from "../../core/state/tables.js"
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
      hashedTables.filter(isPrimary).filter((table) => !NOT_DETERMINED.includes(table)),
    )
    comparePrices(view, store.latest, data.rules)
    compareL1Record(view, store.latest, data.rules)
    compareTerms(view, store.latest)
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

/** Checks the recorded changes of prices. Those of blocks that an older version accepted may be missing. */
function comparePrices(kept: View, replayed: View, rules: Rules): void {
  const last = heightOf(replayed)
  for (const [height, prices] of kept.rows(tables.priceDiffs)) {
    const expected = feePricesAfter(replayed, rules, height - 1n, last)
    if (expected?.gas === prices.gas && expected.validator === prices.validator) continue
    throw nodeError("node.damaged", { fault: `replaying the blocks gives another change of prices at height ${height}` })
  }
}

/** Checks the record of L1 validators and their fees. That of an older version may begin later. */
function compareL1Record(kept: View, replayed: View, rules: Rules): void {
  const fault = (height: bigint) =>
    nodeError("node.damaged", { fault: `replaying the blocks gives other fees or validators of L1s at height ${height}` })
  for (const [height, { time, ...row }] of kept.rows(tables.l1FeeRecord)) {
    const { active, excess, accruedFees } = l1FeeStateAt(replayed, rules, height, time) ?? {}
    if (active !== row.active || excess !== row.excess || accruedFees !== row.accruedFees) throw fault(height)
  }
  for (const [key, row] of kept.rows(tables.l1MemberDiffs)) {
    const expected = replayed.get(tables.l1MemberDiffs, key)
    const { value } = tables.l1MemberDiffs
    if (!expected || !equalBytes(encode(value, expected), encode(value, row))) throw fault(key.height)
  }
}

/** Checks the recorded terms of stakers. The record of an older version begins later, with all stakers of that time. */
function compareTerms(kept: View, replayed: View): void {
  const { stakingTerms } = tables
  const begin = kept.first(stakingTerms)?.[0].height
  for (const [key, row] of kept.rows(stakingTerms)) {
    const expected = replayed.get(stakingTerms, key)
    if (expected ? isDeepStrictEqual(expected, row) : key.height === begin) continue
    throw nodeError("node.damaged", { fault: `replaying the blocks gives another term of a staker at height ${key.height}` })
  }
}
