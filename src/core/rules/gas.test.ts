import { expect, test } from "vitest"
import { MAX64, mul64 } from "../lib/math64.js"
import { paramsFor } from "../networks/index.js"
import { addDimensions, advanceGas, consumeGas, priceOf, toGas } from "./gas.js"

const { dynamicFee } = paramsFor(1)

test("gas is the sum of the weighted dimensions", () => {
  // A BaseTx with one single-signature input and two single-address outputs.
  const units = { bandwidth: 379n, dbRead: 1n, dbWrite: 3n, compute: 200n }
  expect(toGas(units, dynamicFee.weights)).toBe(5_179n)
  expect(mul64(5_179n, 1_023n)).toBe(5_298_117n)
})

test("dimensions add one by one, and nothing wraps around", () => {
  const one = { bandwidth: 1n, dbRead: 2n, dbWrite: 3n, compute: 4n }
  const three = { bandwidth: 3n, dbRead: 6n, dbWrite: 9n, compute: 12n }
  expect(addDimensions(one, one, one)).toEqual(three)
  expect(() => addDimensions(one, { ...one, compute: MAX64 })).toThrow(expect.objectContaining({ code: "math.overflow" }))
  expect(() => toGas({ ...one, bandwidth: MAX64 }, dynamicFee.weights)).toThrow(
    expect.objectContaining({ code: "math.overflow" }),
  )
  expect(() => mul64(MAX64, 2n)).toThrow(expect.objectContaining({ code: "math.overflow", avalanchegoMessage: "overflow" }))
})

test("the price of gas follows the truncated series, not the true power", () => {
  const excesses = [0n, 1_500_000n, 15_000_000n, 30_000_000n, 60_000_000n]
  expect(excesses.map((excess) => priceOf(dynamicFee, excess))).toEqual([1n, 1n, 1_023n, 1_048_573n, 1_099_505_448_113n])
})

test("the price stops at the largest 64-bit number, and is nothing without a price or a constant", () => {
  const price = (minPrice: bigint, excess: bigint, excessConversionConstant: bigint) =>
    priceOf({ minPrice, excessConversionConstant }, excess)
  expect(price(1n, MAX64, 1n)).toBe(MAX64)
  expect(price(MAX64, 0n, MAX64)).toBe(MAX64)
  expect(price(MAX64 - 1n, 1n, MAX64)).toBe(MAX64 - 1n)
  expect(price(0n, MAX64, 1n)).toBe(0n)
  expect(price(5n, 1n, 0n)).toBe(0n)
})

test("time gives capacity back and takes excess away", () => {
  expect(advanceGas({ capacity: 215_183n, excess: 17_725_376n }, dynamicFee, 5n)).toEqual({
    capacity: 715_183n,
    excess: 17_475_376n,
  })
  expect(advanceGas({ capacity: 0n, excess: 17n }, dynamicFee, MAX64)).toEqual({ capacity: 1_000_000n, excess: 0n })
})

test("a block takes gas from the capacity and adds it to the excess", () => {
  expect(consumeGas({ capacity: 10n, excess: MAX64 - 3n }, 10n)).toEqual({ capacity: 0n, excess: MAX64 })
  expect(() => consumeGas({ capacity: 10n, excess: 0n }, 11n)).toThrow(
    expect.objectContaining({
      code: "rules.insufficient_capacity",
      avalanchegoMessage: "insufficient capacity: capacity (10) < gas (11)",
    }),
  )
})
