import { expect, test } from "vitest"
import { type Block, blockOf } from "../../src/core/blocks/block.js"
import { encode } from "../../src/core/codec/decode.js"
import { project } from "../../src/core/readmodel/fold.js"
import { readModelTables } from "../../src/core/readmodel/index.js"
import { addUtxo } from "../../src/core/rules/spend.js"
import { Diff } from "../../src/core/state/diff.js"
import type { AnyTable } from "../../src/core/state/table.js"
import { TxStatus, tables } from "../../src/core/state/tables.js"
import type { Edits } from "../../src/core/state/view.js"
import { stakerInfoOf } from "../../src/core/txs/execute.js"
import { txTypes } from "../../src/core/txs/index.js"
import { signedTxOf, type Tx } from "../../src/core/txs/tx.js"
import type { TxKind, UnsignedTx } from "../../src/core/txs/unsignedTx.js"
import type { Address } from "../../src/core/types/address.js"
import type { TransferableOutput } from "../../src/core/types/output.js"
import { indexEdits } from "../../src/store/indexes.js"
import { readStore } from "../fixtures/readModel.js"
import { idOfByte } from "../fixtures/txs.js"
import { validFor } from "../fixtures/validFor.js"

/** Bytes of index for each byte of transaction. */
const MAX_RATIO = 50

/** Ascending addresses, others for each list. */
const manyOwners = (count: number, list: number): Address[] =>
  Array.from({ length: count }, (_, i) => `${list.toString(16).padStart(8, "0")}${i.toString(16).padStart(32, "0")}` as Address)

/** A copy of a transaction in which every list of owners has so many. */
function widened<T>(value: T, owners: number, next = { list: 0 }): T {
  if (Array.isArray(value)) return value.map((each) => widened(each, owners, next)) as T
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value
  const entries = Object.entries(value).map(([name, member]) => {
    const isOwners = name === "addresses" && Array.isArray(member)
    return [name, isOwners ? manyOwners(owners, ++next.list) : widened(member, owners, next)]
  })
  return Object.fromEntries(entries) as T
}

const outputsOf = (tx: UnsignedTx): readonly TransferableOutput[] =>
  "outputs" in tx ? [...tx.outputs, ...(stakerInfoOf(tx)?.stake ?? [])] : []

/** The bytes of these rows as they are kept: keys and values. */
function bytesIn(edits: Edits, isCounted: (table: AnyTable) => boolean): number {
  let bytes = 0
  for (const [table, rows] of edits) {
    if (!isCounted(table)) continue
    for (const { value } of rows.values()) {
      if (value !== undefined) bytes += table.key.width / 2 + encode(table.value, value).length
    }
  }
  return bytes
}

/** What indexes and projections store when a block with this transaction is accepted, whose inputs are owned as widely as its outputs. */
function indexBytesOf(tx: Tx, owners: number): number {
  const store = readStore()
  const before = new Diff(store.latest)
  before.put(tables.timestamp, null, 1n)
  const { unsignedTx } = tx
  const inputs = "inputs" in unsignedTx ? unsignedTx.inputs : []
  for (const [i, { txID, outputIndex, assetID }] of inputs.entries()) {
    const output = {
      kind: "TransferOutput",
      amount: 1n,
      locktime: 0n,
      threshold: 1,
      addresses: manyOwners(owners, 9_000 + i),
    } as const
    addUtxo({ diff: before }, { txID, outputIndex, assetID, output })
  }
  project(before, [blockOf({ kind: "BanffStandardBlock", time: 1n, parentID: idOfByte(1), height: 1n, txs: [] }) as Block])
  store.commit(before.edits)
  const diff = new Diff(store.latest)
  diff.put(tables.txs, tx.id, { status: TxStatus.committed, height: 2n, bytes: tx.bytes })
  for (const [i, output] of outputsOf(unsignedTx).entries()) addUtxo({ diff }, { txID: tx.id, outputIndex: i, ...output })
  project(diff, [blockOf({ kind: "BanffStandardBlock", time: 2n, parentID: idOfByte(1), height: 2n, txs: [tx] }) as Block])
  const indexes = indexEdits(diff.edits, () => undefined)
  return bytesIn(diff.edits, (table) => readModelTables.includes(table)) + bytesIn(indexes, () => true)
}

const kinds: readonly TxKind[] = txTypes.map(({ kind }) => kind)

test.each(kinds)("a %s with few or many owners takes at most 50 bytes of index for each of its bytes", (kind) => {
  const { tx } = validFor(kind)
  for (const owners of [1, 8, 9, 300, 3_000]) {
    const wide = signedTxOf(widened(tx as UnsignedTx, owners), [])
    const ratio = indexBytesOf(wide, owners) / wide.bytes.length
    expect([owners, ratio < MAX_RATIO ? "within the bound" : ratio]).toEqual([owners, "within the bound"])
  }
})
