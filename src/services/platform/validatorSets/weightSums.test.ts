import { expect, test } from "vitest"
import { WeightSums } from "./weightSums.js"

const memberAt = (sums: WeightSums, unit: bigint) => sums.memberAt(Number(unit >> 32n), Number(unit & 0xffff_ffffn))

test("a unit belongs to the first member whose sum is above it", () => {
  const weights = [1n, 2n ** 32n - 1n, 1n, 2n ** 33n, 2n ** 63n, 5n]
  const sums = new WeightSums(weights)
  expect(sums.total).toBe(weights.reduce((sum, weight) => sum + weight))
  let first = 0n
  for (const [member, weight] of weights.entries()) {
    expect([memberAt(sums, first), memberAt(sums, first + weight / 2n), memberAt(sums, first + weight - 1n)]).toEqual([
      member,
      member,
      member,
    ])
    first += weight
  }
})

test("a set without members has no weight", () => {
  expect(new WeightSums([]).total).toBe(0n)
})
