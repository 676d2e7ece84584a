import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { Diff } from "../../core/state/diff.js"
import { allTables, tables } from "../../core/state/tables.js"
import { idOfByte } from "../../core/state/view.contract.js"
import { emptyView } from "../../core/state/view.js"
import { MemoryStore } from "../memory/memoryStore.js"
import { randomChanges } from "../rows.fixture.js"
import { allRows } from "./copyRows.js"
import { stateHash } from "./stateHash.js"

const A = idOfByte("0a")
const sha256 = (hex: string) => createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex")

test("the hash is over names, keys and values with their lengths", () => {
  const diff = new Diff(emptyView)
  diff.put(tables.supplies, A, 5n)
  const supplies = `00000008${Buffer.from("supplies").toString("hex")}`
  const gas = `00000003${Buffer.from("gas").toString("hex")}`
  const row = `00000020${A}00000008${"0000000000000005"}`
  expect(stateHash(diff, [tables.supplies, tables.gas])).toBe(sha256(`${gas}00000000${supplies}${row}00000000`))
})

test("the hash does not depend on the order of tables or of commits, nor on indexes", () => {
  const diff = randomChanges(new Random(1), emptyView, 300)
  const reversed = [...allTables].reverse()
  const store = new MemoryStore()
  store.commit(allRows(diff, reversed))
  expect(stateHash(store.latest, allTables)).toBe(stateHash(diff, reversed))
})

test("a change of any row changes the hash", () => {
  const state = randomChanges(new Random(2), emptyView, 300)
  const hashes = new Set([stateHash(state, allTables)])
  const rows = [...allRows(state, allTables)].flatMap(([table, edits]) => [...edits.keys()].map((text) => ({ table, text })))
  for (const { table, text } of rows) {
    const changed = new Diff(state)
    changed.delete(table, table.key.fromText(text))
    hashes.add(stateHash(changed, allTables))
  }
  expect([rows.length > 40, hashes.size]).toEqual([true, rows.length + 1])
})
