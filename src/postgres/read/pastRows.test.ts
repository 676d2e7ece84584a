import { expect, test } from "vitest"
import { u64 } from "../../core/codec/primitives.js"
import { neverPausing } from "../../core/lib/pace.js"
import { Unavailable } from "../../core/lib/unavailable.js"
import { u64Key } from "../../core/state/key.js"
import { table } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import type { PastReader, View } from "../../core/state/view.js"
import { type ID, idOfName } from "../../core/types/id.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import { postgresError } from "../errors.js"
import { PastRows } from "./pastRows.js"
import type { DatabaseRow, PastSource } from "./pastSources.js"
import { PastView } from "./pastView.js"

const at = { height: 5n, id: idOfName("block") as ID }
const numbers = table("numbers", u64Key, u64)
const keyText = (key: number) => key.toString(16).padStart(16, "0")

/** The number of values that were decoded. */
let decoded = 0
function rowOf(number: bigint): DatabaseRow {
  const value = () => {
    decoded++
    return number
  }
  return { value, height: 1n, size: 1 << 10 }
}

/** A table in which each number up to 999 has its double; other keys have no row. Statements return at most `most` rows for keys. */
function pastRows(changes: Partial<PastSource> = {}, most = 1000) {
  const rowAt = (text: string) => (BigInt(`0x${text}`) < 1000n ? rowOf(2n * BigInt(`0x${text}`)) : undefined)
  const source: PastSource = {
    table: numbers,
    fetch: async (keyTexts) => ({ blockID: at.id, rows: new Map(keyTexts.slice(0, most).map((text) => [text, rowAt(text)])) }),
    fetchPages: async (ranges, limit) => ({
      blockID: at.id,
      pages: ranges.map(({ from }) => {
        const first = Number.parseInt(from.slice(0, 16).padEnd(16, "0"), 16) + (from.length > 16 ? 1 : 0)
        const keys = Array.from({ length: Math.min(limit, 1000 - first) }, (_, i) => keyText(first + i))
        return { rows: keys.map((text) => ({ ...(rowAt(text) as DatabaseRow), keyText: text })), isLast: keys.length < limit }
      }),
    }),
    ...changes,
  }
  return new PastRows({
    sourceOf: () => source,
    maxBytes: 64 << 20,
    timeout: 10_000,
    reasonOf: () => postgresError("postgres.unreachable"),
  })
}

function readerOf(past: PastRows): PastReader {
  const memory = new MemoryStore({ tables: [tables.lastAccepted], tablesBesideChain: [] })
  memory.commit(new Map([[tables.lastAccepted, new Map([[tables.lastAccepted.key.toText(null), { value: at, isNew: true }]])]]))
  const view = new PastView({ memory: memory.latest, memoryTables: new Set([tables.lastAccepted]), past })
  return view.past(neverPausing)
}

test("what several calls request in one turn is one statement, and each pays for its own rows, which it decodes itself", async () => {
  const past = pastRows()
  decoded = 0
  const request = (key: number) => ({ table: numbers, wanted: keyText(key) })
  const [one, two] = await Promise.all([past.load([request(1)], at), past.load([request(1), request(2), request(5000)], at)])
  expect([one.milliseconds, two.milliseconds, past.counts.statements, decoded]).toEqual([0.5178125, 0.545625, 1, 0])
  const found = [1, 2, 5000].map((key) => past.cached(request(key), at))
  expect(found.map((each) => each && ("value" in each ? past.valueOf(each) : each))).toEqual([2n, 4n, { absentAt: at.id }])
})

test("a computation for each of many items takes as many statements as one of them", async () => {
  const past = pastRows()
  const items = Array.from({ length: 300 }, (_, i) => i)
  const twice = (view: View, item: number) => view.get(numbers, view.get(numbers, BigInt(item)) as bigint)
  const view = readerOf(past)
  expect(await view.each(items, twice)).toEqual(items.map((item) => BigInt(4 * item)))
  expect(past.counts.statements).toBe(2)
  const few = await view.each([7, 8, 9, 10], twice, (value) => value === 32n)
  expect([few, past.counts.statements]).toEqual([[28n, 32n], 2])
})

test("rows that a statement leaves out are requested again", async () => {
  const past = pastRows({}, 10)
  const items = Array.from({ length: 35 }, (_, i) => BigInt(i))
  expect(await readerOf(past).each(items, (view, item) => view.get(numbers, item))).toEqual(items.map((item) => 2n * item))
  expect(past.counts.statements).toBe(4)
})

test("merged lists are one statement if their first pages have enough rows, and otherwise continue where they need more", async () => {
  const past = pastRows()
  const lists = { table: numbers, compare: (a: bigint, b: bigint) => Number(a - b) }
  const ranges = [{ from: 600n }, { from: 650n }]
  const first = await readerOf(past).merged({ ...lists, ranges: [{ from: 100n }], limit: 200 })
  expect([first.length, first.at(-1), past.counts.statements]).toEqual([200, [299n, 598n], 1])
  const both = await readerOf(past).merged({ ...lists, ranges, limit: 300 })
  expect([both.length, both.at(-1)]).toEqual([550, [899n, 1798n]])
  expect(past.counts.statements).toBe(2)
  const all = await readerOf(past).merged({ ...lists, ranges: [{ after: 990n }], limit: 300 })
  expect(all.map(([key]) => key)).toEqual([991n, 992n, 993n, 994n, 995n, 996n, 997n, 998n, 999n])
})

test("the error of the first item that fails is thrown", async () => {
  const read = (view: View, item: number) => {
    if (item % 2 === 0) view.get(numbers, BigInt(item))
    if (item > 5) throw new Error(`item ${item}`)
    return item
  }
  await expect(readerOf(pastRows()).each([1, 2, 4, 6, 7], read)).rejects.toThrow("item 6")
})

test("bytes of the database that are no value make an answer unavailable", async () => {
  const value = () => {
    throw new Error("no value")
  }
  const rows = new Map([[keyText(1), { value, height: 1n, size: 1 }]])
  const view = readerOf(pastRows({ fetch: async () => ({ blockID: at.id, rows }) }))
  await expect(view.read((each) => each.get(numbers, 1n))).rejects.toThrow(Unavailable)
})
