import { expect, test } from "vitest"
import { toHex, utf8 } from "../../core/lib/bytes.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { ID } from "../../core/types/id.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import { unpackDump } from "./packDump.fixture.js"
import { type DumpSource, writeDump } from "./writeDump.js"

const ROWS = 4000

function sourceOf(store: MemoryStore): DumpSource {
  const text = utf8("{}")
  const head = { networkID: 12345, genesis: text, rules: text, upgrades: text, readModel: text, now: 1n, id: "", isFrozen: false }
  const dumped = [tables.supplies, tables.blocks]
  return { ...head, view: store.latest, tables: dumped, rows: store.statistics().rows, waiting: [utf8("tx")] }
}

test("a dump is written in pieces, between which other work runs, and its rows can be read back", async () => {
  const store = new MemoryStore()
  const diff = new Diff(store.latest)
  const keys = Array.from({ length: ROWS }, (_, i) => i.toString(16).padStart(64, "0") as ID)
  for (const key of keys) diff.put(tables.blocks, key, utf8(key.repeat(4)))
  store.commit(diff.edits)
  let turns = 0
  const count = () => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const bytes = await writeDump(sourceOf(store))
  clearImmediate(timer)
  expect(turns).toBeGreaterThanOrEqual(Math.floor((ROWS * 300) / (1 << 17)))
  const { tables: read, waiting, networkID } = unpackDump(bytes)
  expect([networkID, read.map(({ name, rows }) => [name, rows.length]), waiting]).toEqual([
    12345,
    [
      ["supplies", 0],
      ["blocks", ROWS],
    ],
    [utf8("tx")],
  ])
  expect(read[1]?.rows.map(({ key }) => toHex(key))).toEqual(keys)
})

test("a change of the rows while they are dumped is a fault, and leaves no dump", async () => {
  const source = sourceOf(new MemoryStore())
  await expect(writeDump({ ...source, rows: { blocks: 1 } })).rejects.toThrow("blocks has 0 rows, and 1 were counted")
})
