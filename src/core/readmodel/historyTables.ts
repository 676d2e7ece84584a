import { type AnyPrimaryTable, type AnyTable, isPrimary } from "../state/table.js"
import { tables } from "../state/tables.js"
import { explorerTables } from "./explorer/tables.js"
import { readTables } from "./tables.js"

/**
 * The tables that grow with the number of blocks, each with its number in a database of published chains. Their rows are written once, with
 * their block. A number is never reused; 18 was another table.
 */
export const historyTables: ReadonlyMap<AnyTable, number> = new Map<AnyPrimaryTable, number>([
  [tables.txs, 1],
  [tables.rewardUtxos, 2],
  [tables.weightDiffs, 3],
  [tables.keyDiffs, 4],
  [tables.priceDiffs, 5],
  [readTables.txsByAddress, 6],
  [readTables.rewardsByAddress, 7],
  [readTables.setSegments, 8],
  [explorerTables.txsByKind, 9],
  [explorerTables.txsBySubject, 10],
  [explorerTables.txsBySubjectKind, 11],
  [explorerTables.txsByOwnerKind, 12],
  [explorerTables.effects, 13],
  [explorerTables.pastBalances, 14],
  [explorerTables.outputsByOwner, 15],
  [explorerTables.spenders, 16],
  [explorerTables.departures, 17],
  [tables.l1FeeRecord, 19],
  [tables.l1MemberDiffs, 20],
  [tables.facts, 21],
  [explorerTables.runOuts, 22],
])

/** The tables of the blocks themselves: their rows follow from the blocks, their order and their times. */
const blockTables: readonly AnyTable[] = [tables.blocks, tables.blockIDs, readTables.blockTimes]

/** The tables that are only used to make the rows for explorers. No answer reads them. */
const workTables: readonly AnyTable[] = [tables.stakingTerms]

/** Returns those of these tables that describe the current state. With their rows and the later blocks a node can continue to execute. */
export function currentTables(all: readonly AnyTable[]): readonly AnyPrimaryTable[] {
  const others = new Set<AnyTable>([...historyTables.keys(), ...blockTables, ...workTables])
  return all.filter(isPrimary).filter((table) => !others.has(table))
}
