import { expect, test } from "vitest"
import { groupThousands } from "./groupThousands.js"

test("numbers are grouped by thousands", () => {
  expect([0, 999, 1_000, 359_999_999_999_990_210n].map(groupThousands)).toEqual(["0", "999", "1,000", "359,999,999,999,990,210"])
})
