import { expect, test } from "vitest"
import { add64, clamp64, MAX64, max, min, mul64, sub64 } from "./math64.js"

test("sums, differences and products that fit in 64 bits are exact", () => {
  expect(add64(MAX64 - 1n, 1n)).toBe(MAX64)
  expect(sub64(MAX64, MAX64)).toBe(0n)
  expect(mul64(0xffff_ffffn, 0x1_0000_0001n)).toBe(MAX64)
})

test("a result that does not fit is refused, with both numbers", () => {
  expect(() => add64(MAX64, 1n)).toThrow(
    expect.objectContaining({ code: "math.overflow", data: { a: MAX64, b: 1n }, avalanchegoMessage: "overflow" }),
  )
  expect(() => mul64(MAX64, 2n)).toThrow(expect.objectContaining({ code: "math.overflow", data: { a: MAX64, b: 2n } }))
  expect(() => sub64(0n, 1n)).toThrow(
    expect.objectContaining({ code: "math.underflow", data: { a: 0n, b: 1n }, avalanchegoMessage: "underflow" }),
  )
})

test("minimum, maximum, and the limit to 64 bits", () => {
  expect([min(1n, 2n), min(2n, 1n), max(1n, 2n), max(2n, 1n)]).toEqual([1n, 1n, 2n, 2n])
  expect([clamp64(MAX64), clamp64(MAX64 + 1n), clamp64(5n)]).toEqual([MAX64, MAX64, 5n])
})
