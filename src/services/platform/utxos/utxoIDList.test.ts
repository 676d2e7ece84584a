import { expect, test } from "vitest"
import { EMPTY_ID, type ID, idText } from "../../../core/types/id.js"
import { type PackedUtxo, packUtxo } from "../../../core/types/packedUtxo.js"
import { UtxoIDList } from "./utxoIDList.js"

const output = { kind: "TransferOutput" as const, amount: 1n, locktime: 0n, threshold: 1, addresses: [] }

test("an empty list has no items", () => {
  const list = new UtxoIDList()
  expect([list.isEmpty, list.json().text]).toEqual([true, "[]"])
})

test.each([1, 1000, 20_000])("a list of %i items names every UTXO in order", (count) => {
  const utxos: PackedUtxo[] = []
  const expected: { txID: string; outputIndex: number }[] = []
  for (let i = 0; i < count; i++) {
    const txID = (i % 10 === 0 ? EMPTY_ID : (i * 7919).toString(16).padStart(64, i % 3 === 0 ? "0" : "e")) as ID
    const outputIndex = i % 2 === 0 ? i : 2 ** 32 - 1 - i
    utxos.push(packUtxo({ txID, outputIndex, assetID: EMPTY_ID, output }))
    expected.push({ txID: idText(txID), outputIndex })
  }
  const list = new UtxoIDList()
  for (let i = 0; i < count; i += 1700) list.add(utxos.slice(i, i + 1700))
  const { text } = list.json()
  expect([list.isEmpty, list.size, text]).toEqual([false, text.length - 1, JSON.stringify(expected)])
})
