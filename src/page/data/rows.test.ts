import { expect, test } from "vitest"
import { type AskPage, firstRows } from "./rows.js"

/** A list of the numbers below `size`, which gives at most 1,024 of them on a page, as a node does. */
function listOf(size: number) {
  const limits: number[] = []
  const ask: AskPage<number, string> = async (limit, cursor) => {
    limits.push(limit)
    const start = cursor === undefined ? 0 : Number(cursor)
    const end = Math.min(size, start + Math.min(limit, 1024))
    return { rows: Array.from({ length: end - start }, (_, place) => start + place), cursor: end < size ? String(end) : null }
  }
  return { ask, limits }
}

test.each([
  { size: 0, count: 20, shown: 0, hasMore: false, limits: [21] },
  { size: 20, count: 20, shown: 20, hasMore: false, limits: [21] },
  { size: 21, count: 20, shown: 20, hasMore: true, limits: [21] },
  { size: 5000, count: 1024, shown: 1024, hasMore: true, limits: [1024, 1] },
  { size: 5000, count: 3000, shown: 3000, hasMore: true, limits: [1024, 1024, 953] },
  { size: 2500, count: 3000, shown: 2500, hasMore: false, limits: [1024, 1024, 953] },
])("of $size rows the first $count are read", async ({ size, count, shown, hasMore, limits }) => {
  const list = listOf(size)
  const expected = { rows: Array.from({ length: shown }, (_, place) => place), hasMore }
  expect(await firstRows(count, list.ask)).toEqual(expected)
  expect(list.limits).toEqual(limits)
})

test("a page that is short is not the last one", async () => {
  // UTXOs end a page after 4 MiB.
  const ask: AskPage<number, number> = async (limit, cursor = 0) => ({
    rows: cursor < 4 ? [cursor, cursor + 1].slice(0, limit) : [],
    cursor: cursor < 4 ? cursor + 2 : null,
  })
  expect(await firstRows(20, ask)).toEqual({ rows: [0, 1, 2, 3], hasMore: false })
})
