import { expect, test } from "vitest"
import { decode, encode } from "../codec/decode.js"
import { u64 } from "../codec/primitives.js"
import type { ID } from "../types/id.js"
import { noValue, singleton } from "./table.js"
import { allTables, tables } from "./tables.js"

test("no two tables share a name, and each is called what the state calls it", () => {
  expect(allTables.map(({ name }) => name)).toEqual(Object.keys(tables))
})

test("every key is of whole bytes, and short enough for the disk", () => {
  expect(allTables.filter(({ key }) => key.width % 2 !== 0 || key.width > 2 * 500).map(({ name }) => name)).toEqual([])
})

test("every index leads into a table of the state, by keys of its width", () => {
  for (const { indexes } of allTables) for (const { table } of indexes) expect(allTables).toContain(table)
})

test("a table with one row has one key", () => {
  const { key, indexes } = singleton("height", u64)
  expect([key.toText(null), indexes]).toEqual(["00", []])
})

test("the empty value takes no bytes", () => {
  expect(encode(noValue, null)).toEqual(new Uint8Array())
  expect(decode(noValue, new Uint8Array())).toBe(null)
})

const A = "aa".repeat(20)
const B = "bb".repeat(20)
const KEY = "01".repeat(32)

test("a UTXO is found by each of its addresses, once", () => {
  const owners = { locktime: 0n, threshold: 1, addresses: [A, B, A] }
  const [index] = tables.utxos.indexes
  const output = { kind: "TransferOutput", amount: 1n, ...owners }
  const utxo = { txID: KEY as ID, outputIndex: 0, assetID: KEY as ID, output }
  expect(index?.keysOf(KEY, utxo as never)).toEqual([A + KEY, B + KEY])
  const locked = { ...utxo, output: { kind: "LockOut", locktime: 5n, output } }
  expect(index?.keysOf(KEY, locked as never)).toEqual([A + KEY, B + KEY])
})

test("a UTXO that waits for import is found by receiver, sender and address", () => {
  const [receiver, sender] = ["02".repeat(32), "03".repeat(32)]
  const [index] = tables.atomicUtxos.indexes
  const keys = index?.keysOf(receiver + sender + KEY, { value: new Uint8Array(), traits: [A, B] } as never)
  expect(keys).toEqual([receiver + sender + A + KEY, receiver + sender + B + KEY])
})
