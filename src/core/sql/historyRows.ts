import { decode, encode } from "../codec/decode.js"
import type { PlacedTx } from "../readmodel/acceptedBlock.js"
import { subjectsOf } from "../readmodel/explorer/subjects.js"
import { explorerTables } from "../readmodel/explorer/tables.js"
import { historyTables } from "../readmodel/historyTables.js"
import { listedOwners } from "../readmodel/ownerGroups.js"
import { addressesOf } from "../readmodel/owners.js"
import type { ProjectionContext } from "../readmodel/projection.js"
import { readTables } from "../readmodel/tables.js"
import { ownersOfTx } from "../readmodel/txsByAddress.js"
import { Diff } from "../state/diff.js"
import type { OwnerKey } from "../state/ownerKey.js"
import type { AnyTable, Table } from "../state/table.js"
import { tables } from "../state/tables.js"
import type { Edits, View } from "../state/view.js"
import { txTypeOf } from "../txs/unsignedTx.js"
import { type ID, PRIMARY_NETWORK_ID } from "../types/id.js"
import { type Utxo, utxoID } from "../types/utxo.js"
import { ownersOfSpent, type RowContext } from "./rowContext.js"
import { sqlTables } from "./tables.js"

/** Adds the rows of the tables that grow with the chain, as read servers read them. */
export class HistoryRows {
  readonly #view: View
  readonly #rows: RowContext
  readonly #context: ProjectionContext
  /** The rows of overrides, by table and key. They have the present values, so those of their block are not added again. */
  readonly #overridden = new Set<string>()

  constructor(rows: RowContext) {
    this.#view = rows.view
    this.#rows = rows
    const ownersOf: ProjectionContext["ownersOf"] = ({ txID, outputIndex }) => ownersOfSpent(rows, txID, outputIndex)
    this.#context = { diff: new Diff(rows.view), ownersOf }
  }

  /** Adds the rows of the outputs that overrides created after the block of a height. It is called before the block's own rows are added. */
  addOverridden(height: bigint, utxos: readonly Utxo[]): void {
    this.#overridden.clear()
    for (const utxo of utxos) {
      const { txID, outputIndex, assetID } = utxo
      for (const owner of listedOwners(this.#context.diff, addressesOf(utxo))) {
        this.#add(explorerTables.outputsByOwner, { owner, height, txID, outputIndex }, height, true)
        this.#add(explorerTables.pastBalances, { owner, assetID, height }, height, true)
      }
    }
  }

  /** Adds the rows of genesis. */
  addGenesis(genesis: Edits): void {
    for (const [table, rows] of genesis) {
      const number = historyTables.get(table)
      if (number === undefined) continue
      for (const [text, { value }] of rows) this.#addBytes(table, text, encode(table.value, value), 0n)
    }
  }

  /** Adds the rows of the transactions of a block, and of the outputs that it creates. */
  addBlock(height: bigint, txs: readonly PlacedTx[], created: readonly Utxo[]): void {
    const owners = new Map<OwnerKey, Set<ID>>()
    for (const placed of txs) this.#addTx(height, placed, owners)
    for (const utxo of created) {
      const { txID, outputIndex } = utxo
      for (const owner of listedOwners(this.#context.diff, addressesOf(utxo))) {
        this.#add(explorerTables.outputsByOwner, { owner, height, txID, outputIndex }, height)
      }
    }
    for (const [owner, assets] of owners) {
      for (const assetID of assets) this.#add(explorerTables.pastBalances, { owner, assetID, height }, height)
    }
    this.#add(tables.priceDiffs, height, height)
  }

  /** Adds the changes of validator sets in a range of heights, both ends included. */
  addSetChanges(first: bigint, last: bigint): void {
    const view = this.#view
    const subnets = [PRIMARY_NETWORK_ID, ...[...view.rows(tables.subnets)].map(([subnetID]) => subnetID)]
    for (const subnetID of subnets) {
      const range = { under: { subnetID }, from: { height: last } }
      for (const [key] of view.rows(tables.weightDiffs, range)) {
        if (key.height < first) break
        this.#add(tables.weightDiffs, key, key.height)
        this.#add(explorerTables.weightHistory, key, key.height)
      }
      for (const [key] of view.rows(tables.keyDiffs, range)) {
        if (key.height < first) break
        this.#add(tables.keyDiffs, key, key.height)
      }
      for (const [key] of view.rows(explorerTables.departures, range)) {
        if (key.height < first) break
        this.#add(explorerTables.departures, key, key.height)
      }
      for (const [key] of view.rows(readTables.setSegments, { under: { subnetID }, from: { upTo: first } })) {
        if (key.upTo > last) break
        this.#add(readTables.setSegments, key, key.upTo)
      }
    }
  }

  #addTx(height: bigint, { tx, index }: PlacedTx, owners: Map<OwnerKey, Set<ID>>): void {
    const { typeID } = txTypeOf(tx.unsignedTx.kind)
    this.#add(tables.txs, tx.id, height)
    this.#add(explorerTables.txsByKind, { typeID, height, index }, height)
    for (const subject of subjectsOf(tx, this.#view)) {
      this.#add(explorerTables.txsBySubject, { subject, height, index }, height)
      this.#add(explorerTables.txsBySubjectKind, { subject, typeID, height, index }, height)
    }
    for (const owner of ownersOfTx(tx, this.#context)) {
      this.#add(readTables.txsByAddress, { owner, height, index }, height)
      this.#add(explorerTables.txsByOwnerKind, { owner, typeID, height, index }, height)
      const effects = this.#add(explorerTables.effects, { owner, height, index }, height)
      const assets = owners.get(owner) ?? new Set()
      owners.set(owner, assets)
      for (const { assetID } of effects ? decode(explorerTables.effects.value, effects) : []) assets.add(assetID)
    }
    this.#addRewards(height, tx)
    for (const { txID, outputIndex } of "inputs" in tx.unsignedTx ? tx.unsignedTx.inputs : []) {
      this.#add(explorerTables.spenders, utxoID(txID, outputIndex), height)
    }
  }

  #addRewards(height: bigint, { id, unsignedTx }: PlacedTx["tx"]): void {
    const isRenewal = unsignedTx.kind === "RewardAutoRenewedValidatorTx"
    if (unsignedTx.kind !== "RewardValidatorTx" && !isRenewal) return
    const txID = isRenewal ? id : unsignedTx.txID
    for (const [key, utxo] of this.#view.rows(tables.rewardUtxos, { under: { txID } })) {
      this.#add(tables.rewardUtxos, key, height)
      for (const owner of listedOwners(this.#context.diff, addressesOf(utxo))) {
        this.#add(readTables.rewardsByAddress, { owner, height, index: key.outputIndex }, height)
      }
    }
  }

  /** Adds the row of a table under a key, if the store has one. Returns its value, in bytes that the next read overwrites. */
  #add<K, V>(table: Table<K, V>, key: K, height: bigint, isOverridden = false): Uint8Array | undefined {
    const text = table.key.toText(key)
    const bytes = this.#bytesAt(table, text, key)
    if (bytes === undefined) return undefined
    this.#addBytes(table, text, bytes, height)
    if (isOverridden) this.#overridden.add(`${table.name} ${text}`)
    return bytes
  }

  /** Most stores keep values encoded. */
  #bytesAt<K, V>(table: Table<K, V>, text: string, key: K): Uint8Array | undefined {
    if (this.#view.bytesAt) return this.#view.bytesAt(table, text)
    const value = this.#view.get(table, key)
    return value === undefined ? undefined : encode(table.value, value)
  }

  #addBytes(table: AnyTable, key: string, value: Uint8Array, height: bigint): void {
    if (this.#overridden.size > 0 && this.#overridden.has(`${table.name} ${key}`)) return
    this.#rows.rows.add(sqlTables.history, { number: historyTables.get(table) as number, key, height, value })
  }
}
