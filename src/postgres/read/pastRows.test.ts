import { expect, test } from "vitest"
import { u64 } from "../../core/codec/primitives.js"
import { NotYet, Unavailable } from "../../core/lib/notYet.js"
import { u64Key } from "../../core/state/key.js"
import { table } from "../../core/state/table.js"
import { type ID, idOfName } from "../../core/types/id.js"
import { postgresError } from "../errors.js"
import { PastRows } from "./pastRows.js"
import type { DatabaseRow, PastSource } from "./pastSources.js"

const at = { height: 5n, id: idOfName("block") as ID }
const numbers = table("numbers", u64Key, u64)

/** The number of values that were decoded. */
let decoded = 0
const row = (): DatabaseRow => ({ value: () => `value ${++decoded}`, height: 1n, size: 1 << 20 })

function pastRows(changes: Partial<PastSource> = {}) {
  const source: PastSource = {
    table: numbers,
    fetch: async (keyTexts) => ({ blockID: at.id, rows: keyTexts.map((text) => (text.endsWith("0") ? undefined : row())) }),
    fetchPage: async ({ from }) => ({ blockID: at.id, rows: [0, 1].map(() => ({ ...row(), keyText: from })), isLast: true }),
    ...changes,
  }
  return new PastRows({
    sourceOf: () => source,
    maxBytes: 64 << 20,
    timeout: 10_000,
    reasonOf: () => postgresError("postgres.unreachable"),
  })
}

/** The error that a read throws. */
function missing(read: () => unknown): NotYet {
  try {
    read()
  } catch (error) {
    if (error instanceof NotYet) return error
    throw error
  }
  throw new Error("the row is there")
}

test("a row is decoded by its reader and not when it arrives, and says what fetching it took", async () => {
  const past = pastRows()
  decoded = 0
  const first = missing(() => past.get(numbers, "01", at))
  const absent = missing(() => past.get(numbers, "10", at))
  await first.ready
  expect([first.milliseconds(), absent.milliseconds(), decoded]).toEqual([8.51, 0.51, 0])
  expect([past.get(numbers, "01", at), past.get(numbers, "10", at), decoded]).toEqual(["value 1", undefined, 1])
})

test("a page is charged for its rows and bytes to every call that waits for it", async () => {
  const past = pastRows()
  decoded = 0
  const range = { prefix: "", from: "00", limit: 64 }
  const [first, second] = [missing(() => past.page(numbers, range, at)), missing(() => past.page(numbers, range, at))]
  await Promise.all([first.ready, second.ready])
  expect([first.milliseconds(), second.milliseconds(), decoded]).toEqual([16.52, 16.52, 0])
})

test("bytes of the database that are no value make an answer unavailable", async () => {
  const value = () => {
    throw new Error("no value")
  }
  const bad: DatabaseRow = { value, height: 1n, size: 1 }
  const past = pastRows({ fetch: async () => ({ blockID: at.id, rows: [bad] }) })
  await missing(() => past.get(numbers, "01", at)).ready
  expect(() => past.get(numbers, "01", at)).toThrow(Unavailable)
})
