import type { AnyPrimaryTable } from "../state/table.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { type ID, idText } from "../types/id.js"
import { utxoID } from "../types/utxo.js"
import { explorerTables } from "./explorer/tables.js"
import { faultsInFacts } from "./faultsInFacts.js"
import { readTables } from "./tables.js"

/** The tables whose keys or values name blocks and transactions. */
const derived: readonly AnyPrimaryTable[] = [
  readTables.stakesByAddress,
  readTables.subnetsInOrder,
  readTables.chainsInOrder,
  readTables.txsByAddress,
  readTables.rewardsByAddress,
  explorerTables.txsByKind,
  explorerTables.txsBySubject,
  explorerTables.txsBySubjectKind,
  explorerTables.txsByOwnerKind,
  explorerTables.effects,
  explorerTables.pastBalances,
  explorerTables.outputsByOwner,
  explorerTables.spenders,
  explorerTables.departures,
  explorerTables.runOuts,
]

/** A key or a value, if it names the height of a block or a transaction. */
interface Named {
  readonly height?: bigint
  readonly txID?: ID
  readonly outputIndex?: number
}

/**
 * Reads the rows of the read model, and the facts from which they are made. Yields a sentence for each row that names a block or a transaction which the chain does not have, and for
 * blocks without a time. Yields `undefined` after each row, for pauses.
 */
export function* faultsInReadModel(view: View): Iterable<string | undefined> {
  const last = view.get(tables.lastAccepted, null)?.height ?? 0n
  let times = 0n
  for (const [height] of view.rows(readTables.blockTimes)) {
    if (height > last) yield `blockTimes has block ${height}, and the last one is ${last}`
    times++
    yield undefined
  }
  if (times !== last + 1n) yield `blockTimes has ${times} rows and should have ${last + 1n}`
  yield* faultsInFacts(view)
  for (const table of derived) {
    for (const [key, value] of view.rows(table)) yield faultInRow(view, table, [namedInKey(key), namedInValue(value)], last)
  }
}

/** A key that is text is the ID of a UTXO, and a value that of a transaction. */
const namedInKey = (key: unknown): Named => (typeof key === "object" && key !== null ? key : {})
const namedInValue = (value: unknown): Named => (typeof value === "string" ? { txID: value as ID } : namedInKey(value))

function faultInRow(view: View, table: AnyPrimaryTable, parts: readonly Named[], last: bigint): string | undefined {
  for (const { height, txID, outputIndex } of parts) {
    if (height !== undefined && height > last) return `${table.name} has block ${height}, and the last one is ${last}`
    // The outputs of genesis and of overrides belong to no transaction.
    const isUntraced = () =>
      outputIndex !== undefined && view.get(tables.untracedOutputs, utxoID(txID as ID, outputIndex)) !== undefined
    if (txID !== undefined && view.get(tables.txs, txID) === undefined && !isUntraced())
      return `${table.name} has the transaction ${idText(txID)}, which is in no block`
  }
  return undefined
}
