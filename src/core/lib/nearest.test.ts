import { expect, test } from "vitest"
import { editDistance, nearest } from "./nearest.js"

test("a mistyped word is one letter added, lost, changed or swapped away", () => {
  expect(editDistance("genesis", "genesis")).toBe(0)
  expect(editDistance("gensis", "genesis")).toBe(1)
  expect(editDistance("genessis", "genesis")).toBe(1)
  expect(editDistance("genisis", "genesis")).toBe(1)
  expect(editDistance("geensis", "genesis")).toBe(1)
  expect(editDistance("", "abc")).toBe(3)
})

test("the nearest known word is suggested, and none where all are far", () => {
  const known = ["decode", "genesis", "id", "replay"]
  expect(nearest("decod", known)).toBe("decode")
  expect(nearest("gen", known)).toBe("genesis")
  expect(nearest("reply", known)).toBe("replay")
  expect(nearest("validators", known)).toBeUndefined()
})
