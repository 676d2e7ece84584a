import { describe, expect, test } from "vitest"
import { Invalid } from "../lib/invalid.js"
import { Diff } from "../state/diff.js"
import { emptyView } from "../state/view.js"
import type { ID } from "../types/id.js"
import { addHistory, historyGap } from "./historyGap.js"
import { readTables } from "./tables.js"
import { HISTORY_VERSION } from "./versions.js"

const subnetID = "11".repeat(32) as ID

describe("rows of the history", () => {
  test("are added to the changes of their block", () => {
    const diff = new Diff(emptyView)
    addHistory(diff, 7n, (rows) => rows.put(readTables.blockTimes, 7n, 70n))
    expect([diff.get(readTables.blockTimes, 7n), historyGap(diff)]).toEqual([70n, undefined])
  })

  test.each<[string, (rows: Diff) => void]>([
    [
      "cannot be made",
      () => {
        throw new Error("a row is missing")
      },
    ],
    ["cannot be encoded", (rows) => rows.put(readTables.blockTimes, 9n, -1n)],
  ])("that %s leave a gap from their block on, and none of them is added", (_, fail) => {
    const diff = new Diff(emptyView)
    diff.put(readTables.l1ValidatorTxs, subnetID, subnetID)
    addHistory(diff, 8n, (rows) => {
      rows.put(readTables.blockTimes, 8n, 80n)
      fail(rows)
    })
    addHistory(diff, 9n, (rows) => rows.put(readTables.blockTimes, 10n, 1n))
    expect(historyGap(diff)).toMatchObject({ height: 8n, version: HISTORY_VERSION })
    expect([...diff.rows(readTables.blockTimes)]).toEqual([])
    expect(diff.get(readTables.l1ValidatorTxs, subnetID)).toBe(subnetID)
  })

  test.each([
    ["a refusal", new Invalid("store.disk_full", { sentence: "the disk is full" }, {})],
    ["an error of the system", Object.assign(new Error("EIO"), { errno: -5, code: "EIO" })],
    ["an error of LMDB", Object.assign(new Error("MDB_PAGE_NOTFOUND"), { code: -30797 })],
  ])("are not blamed for %s, which is thrown", (_, error) => {
    const diff = new Diff(emptyView)
    const adding = () =>
      addHistory(diff, 8n, () => {
        throw error
      })
    expect(adding).toThrow(error)
    expect(diff.size).toBe(0)
  })
})
