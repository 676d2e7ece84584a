import { encode } from "../core/codec/decode.js"
import { equalBytes } from "../core/lib/bytes.js"
import { type AcceptedBlock, acceptedBlocks, type ReadModelGenesis } from "../core/readmodel/acceptedBlock.js"
import { blockTimes } from "../core/readmodel/blockTimes.js"
import { creations } from "../core/readmodel/creations.js"
import { delegations } from "../core/readmodel/delegations.js"
import { departures, runOuts } from "../core/readmodel/explorer/departures.js"
import { createUntraced, money } from "../core/readmodel/explorer/money.js"
import { hasExplorerRows } from "../core/readmodel/explorer/projectExplorer.js"
import { explorerTableList, explorerTables } from "../core/readmodel/explorer/tables.js"
import { txLists } from "../core/readmodel/explorer/txLists.js"
import { historyGap } from "../core/readmodel/historyGap.js"
import { outputOf } from "../core/readmodel/owners.js"
import { addBlocks, contextOf, repeatingDiff } from "../core/readmodel/projection.js"
import { rewardsByAddress } from "../core/readmodel/rewardsByAddress.js"
import { stakesByAddress } from "../core/readmodel/stakesByAddress.js"
import { readTables } from "../core/readmodel/tables.js"
import { txsByAddress } from "../core/readmodel/txsByAddress.js"
import { Diff } from "../core/state/diff.js"
import { rowFault } from "../core/state/rowFault.js"
import type { AnyPrimaryTable } from "../core/state/table.js"
import { tables } from "../core/state/tables.js"
import { type View, valuesOf } from "../core/state/view.js"
import { utxo as utxoCodec } from "../core/types/utxo.js"
import { type CheckedChain, faultsInFacts } from "./faultsInFacts.js"

type Faults = Iterable<string | undefined>

/** The projections whose rows belong to single blocks. */
const everyBlock = [creations, blockTimes, txsByAddress, rewardsByAddress]
const forExplorers = [txLists, money, departures, runOuts]

/** Tables that no block alone determines: groups are written by the first who needs them, and a balance follows from those before it. */
const NOT_OF_ONE_BLOCK: readonly AnyPrimaryTable[] = [
  readTables.ownerGroups,
  explorerTables.pastBalances,
  explorerTables.progress,
]

/**
 * Compares what a chain stores beside its blocks and its state with them: facts, unspent outputs, and rows of the read model. Yields a sentence for
 * each difference, and `undefined` at other rows, for pauses. A history that is known to be incomplete is passed over.
 */
export function* faultsInReadModel(view: View, chain: CheckedChain): Faults {
  yield* faultsInFacts(view, chain)
  for (const [key, utxo] of view.rows(tables.utxos)) {
    const due = outputOf(view, utxo.txID, utxo.outputIndex)
    const isSame = due && equalBytes(encode(utxoCodec, utxo), encode(utxoCodec, due))
    yield isSame ? undefined : rowFault(view, tables.utxos, key, { source: "the transaction that made it", due })
  }
  yield* faultsInPresent(view)
  if (!historyGap(view)) yield* faultsInHistory(view, chain.genesis)
}

/** Compares the rows about the present stakers with them. */
function* faultsInPresent(view: View): Faults {
  for (const { tables: own, follows = [] } of [stakesByAddress, delegations]) {
    const due = new Diff(hiding(view, own as readonly AnyPrimaryTable[]))
    for (const { source, change } of follows) for (const [key, row] of view.rows(source)) change(due, key, undefined, row)
    yield* differences(view, due, "the stakers")
    for (const table of own as readonly AnyPrimaryTable[]) {
      const rows = due.editsOf(table)
      if (countOf(view, table) !== rows.size) yield* surplus(view, table, rows, "the stakers")
    }
  }
}

/** Repeats the projections of each block, and compares the rows with those that are there. */
function* faultsInHistory(view: View, genesis: ReadModelGenesis): Faults {
  const counts = new Map<AnyPrimaryTable, number>()
  for (const { due, source } of historyOf(view, genesis)) {
    for (const [table, rows] of due.edits) counts.set(table, (counts.get(table) ?? 0) + rows.size)
    yield* differences(view, due, source)
    yield undefined
  }
  const own = [
    ...everyBlock.flatMap((each) => each.tables as readonly AnyPrimaryTable[]),
    ...(hasExplorerRows(view) ? explorerTableList : []),
  ]
  for (const table of own) {
    if (NOT_OF_ONE_BLOCK.includes(table) || countOf(view, table) === (counts.get(table) ?? 0)) continue
    const rows = new Set<string>()
    for (const { due } of historyOf(view, genesis)) for (const text of due.editsOf(table).keys()) rows.add(text)
    yield* surplus(view, table, rows, "the chain")
  }
}

/** Returns the rows that each block makes, and each output without a transaction. */
function* historyOf(view: View, genesis: ReadModelGenesis): Iterable<{ readonly due: Diff; readonly source: string }> {
  const withExplorer = hasExplorerRows(view)
  const added = withExplorer ? [...everyBlock, ...forExplorers] : everyBlock
  for (const accepted of acceptedBlocks(view, genesis)) {
    const due = repeatingDiff(view)
    addBlocks(contextOf(due), accepted, added)
    yield { due, source: `block ${(accepted[0] as AcceptedBlock).height}` }
  }
  for (const { height, utxo } of withExplorer ? valuesOf(view.rows(tables.untracedOutputs)) : []) {
    const due = repeatingDiff(view)
    createUntraced(due, [utxo], height)
    yield { due, source: `an output without a transaction after block ${height}` }
  }
}

function* differences(view: View, due: Diff, source: string): Faults {
  for (const [table, rows] of due.edits) {
    if (NOT_OF_ONE_BLOCK.includes(table)) continue
    for (const [text, { value }] of rows) {
      const key = table.key.fromText(text)
      const kept = view.get(table, key)
      const isSame = kept !== undefined && equalBytes(encode(table.value, kept), encode(table.value, value))
      if (!isSame) yield rowFault(view, table, key, { source, due: value })
    }
  }
}

function countOf(view: View, table: AnyPrimaryTable): number {
  let rows = 0
  for (const _ of view.rows(table)) rows++
  return rows
}

/** Finds the rows of a table that are not among these, in a table with more rows. */
function* surplus(view: View, table: AnyPrimaryTable, due: { has(text: string): boolean }, source: string): Iterable<string> {
  for (const [key] of view.rows(table))
    if (!due.has(table.key.toText(key))) yield rowFault(view, table, key, { source, due: undefined })
}

/** Returns a view without the rows of some tables. */
const hiding = (view: View, hidden: readonly AnyPrimaryTable[]): View => ({
  get: (table, key) => (hidden.includes(table as AnyPrimaryTable) ? undefined : view.get(table, key)),
  rows: (table, range) => (hidden.includes(table as AnyPrimaryTable) ? [] : view.rows(table, range)),
  first: (table) => (hidden.includes(table as AnyPrimaryTable) ? undefined : view.first(table)),
})
