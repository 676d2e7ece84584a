import { expect, test } from "vitest"
import { type ID, ID_SIZE } from "../types/id.js"
import { compoundKey, descendingKey, hexKey, type Key, onlyKey, u64Key, uintKey } from "./key.js"

const MAX = 0xffff_ffff_ffff_ffffn
const ID_A = "0a".repeat(32) as ID

const both = compoundKey({ expiry: u64Key, validationID: hexKey<ID>(ID_SIZE) })

const cases: readonly (readonly [string, Key<unknown>, unknown, string])[] = [
  ["an ID is its own text", hexKey<ID>(ID_SIZE), ID_A, ID_A],
  ["zero", u64Key, 0n, "0000000000000000"],
  ["a number", u64Key, 0x1234n, "0000000000001234"],
  ["the largest number", u64Key, MAX, "ffffffffffffffff"],
  ["the lowest height, which sorts last", descendingKey, 0n, "ffffffffffffffff"],
  ["the highest height, which sorts first", descendingKey, MAX, "0000000000000000"],
  ["a small number", uintKey(1), 7, "07"],
  ["a number of four bytes", uintKey(4), 0xffff_ffff, "ffffffff"],
  ["the only key", onlyKey, null, "00"],
  ["two keys as one", both, { expiry: 255n, validationID: ID_A }, `00000000000000ff${ID_A}`],
]

test.each(cases)("%s", (_, key, value, text) => {
  expect(key.toText(value)).toBe(text)
  expect(key.fromText(text)).toEqual(value)
  expect(key.width).toBe(text.length)
})

test("texts sort as the values do", () => {
  const heights = [MAX, 2n ** 63n, 256n, 255n, 16n, 15n, 1n, 0n]
  expect(heights.map(descendingKey.toText).sort()).toEqual(heights.map(descendingKey.toText))
  expect(heights.map(u64Key.toText).sort().reverse()).toEqual(heights.map(u64Key.toText))
})

test("the first part of a compound key sorts first", () => {
  const keys = [
    { expiry: 1n, validationID: "ff".repeat(32) as ID },
    { expiry: 2n, validationID: "00".repeat(32) as ID },
    { expiry: 2n, validationID: ID_A },
  ]
  expect(keys.map(both.toText).sort().map(both.fromText)).toEqual(keys)
})
