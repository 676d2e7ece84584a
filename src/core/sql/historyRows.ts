import { encode } from "../codec/decode.js"
import type { AcceptedBlock } from "../readmodel/acceptedBlock.js"
import { subnetIDs } from "../readmodel/chains.js"
import { departures, runOuts } from "../readmodel/explorer/departures.js"
import { rowsOfList } from "../readmodel/explorer/moments.js"
import { createUntraced, money } from "../readmodel/explorer/money.js"
import { txLists } from "../readmodel/explorer/txLists.js"
import { historyTables } from "../readmodel/historyTables.js"
import { addBlocks, type ProjectionContext, repeatingDiff } from "../readmodel/projection.js"
import { rewardsByAddress, rewardsPaidBy } from "../readmodel/rewardsByAddress.js"
import { readTables } from "../readmodel/tables.js"
import { txsByAddress } from "../readmodel/txsByAddress.js"
import type { Diff } from "../state/diff.js"
import type { AnyPrimaryTable, AnyTable, Table } from "../state/table.js"
import { tables } from "../state/tables.js"
import type { Edits, View } from "../state/view.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import type { Utxo } from "../types/utxo.js"
import { ownersOfSpent, type RowContext } from "./rowContext.js"
import { sqlTables } from "./tables.js"

/** The projections whose rows belong to single blocks. */
const blockProjections = [txsByAddress, rewardsByAddress, txLists, money, departures, runOuts]

/** The tables that list changes by subnet and height, newest first. */
const subnetTables: readonly AnyPrimaryTable[] = [tables.weightDiffs, tables.keyDiffs, tables.l1MemberDiffs]

/**
 * Adds the rows of the tables that grow with the chain, as read servers read them. The projections name the rows of a block: they are run
 * again on the present state, and the rows under their keys are read from it.
 */
export class HistoryRows {
  readonly #view: View
  readonly #rows: RowContext
  /** The rows of overrides, by table and key. They have the present values, so those of their block are not added again. */
  readonly #overridden = new Set<string>()

  constructor(rows: RowContext) {
    this.#view = rows.view
    this.#rows = rows
  }

  /** Adds the rows of the outputs that overrides created after the block of a height. It is called before the block's own rows are added. */
  addOverridden(height: bigint, utxos: readonly Utxo[]): void {
    this.#overridden.clear()
    const diff = repeatingDiff(this.#view)
    createUntraced(diff, utxos, height)
    this.#addEdited(diff, height)
    for (const [table, rows] of diff.edits) for (const text of rows.keys()) this.#overridden.add(`${table.name} ${text}`)
  }

  addGenesis(genesis: Edits): void {
    for (const [table, rows] of genesis) {
      const number = historyTables.get(table)
      if (number === undefined) continue
      for (const [text, { value }] of rows) this.#addBytes(table, text, encode(table.value, value), 0n)
    }
  }

  addBlock(block: AcceptedBlock): void {
    const { height, txs } = block
    const diff = repeatingDiff(this.#view)
    const context: ProjectionContext = { diff, ownersOf: (spent) => ownersOfSpent(this.#rows, spent), txOwners: new Map() }
    addBlocks(context, [block], blockProjections)
    this.#addEdited(diff, height)
    for (const placed of txs) {
      this.#add(tables.txs, placed.tx.id, height)
      for (const { utxo } of rewardsPaidBy(placed, this.#view)) this.#add(tables.rewardUtxos, utxo, height)
    }
    for (const table of [tables.priceDiffs, tables.facts]) this.#add(table as AnyPrimaryTable, height, height)
    this.#add(tables.l1FeeRecord, height, height)
  }

  /** Adds the changes of validator sets in a range of heights, both ends included. */
  addSetChanges(first: bigint, last: bigint): void {
    const view = this.#view
    for (const subnetID of [PRIMARY_NETWORK_ID, ...subnetIDs(view)]) {
      for (const table of subnetTables) {
        for (const [key] of rowsOfList(view, table, { subnetID }, { from: first, to: last })) {
          this.#add(table, key, key.height)
        }
      }
      for (const [key] of view.rows(readTables.setSegments, { under: { subnetID }, from: { upTo: first } })) {
        if (key.upTo > last) break
        this.#add(readTables.setSegments, key, key.upTo)
      }
    }
  }

  /** Adds the present rows under the keys that a diff has written. */
  #addEdited(diff: Diff, height: bigint): void {
    for (const [table, rows] of diff.edits) {
      if (historyTables.has(table)) for (const text of rows.keys()) this.#add(table, table.key.fromText(text), height)
    }
  }

  /** Adds the row of a table under a key, if the store has one. */
  #add<K, V>(table: Table<K, V>, key: K, height: bigint): void {
    const value = this.#view.get(table, key)
    if (value !== undefined) this.#addBytes(table, table.key.toText(key), encode(table.value, value), height)
  }

  #addBytes(table: AnyTable, key: string, value: Uint8Array, height: bigint): void {
    if (this.#overridden.size > 0 && this.#overridden.has(`${table.name} ${key}`)) return
    this.#rows.rows.add(sqlTables.history, { number: historyTables.get(table) as number, key, height, value })
  }
}
