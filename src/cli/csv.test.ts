import { expect, test } from "vitest"
import { csvLine } from "./commands/export.js"

test("a line of CSV has the values of the columns, quoted where they need it", () => {
  const row = { amount: 18446744073709551615n, name: 'says "a, b"', addresses: ["P-a", "P-b"], more: null, left: true }
  expect(csvLine(["name", "amount", "addresses", "more", "missing", "left"], row)).toBe(
    '"says ""a, b""",18446744073709551615,P-a P-b,,,true',
  )
})
