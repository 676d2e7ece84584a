import { expect, test } from "vitest"
import { Random } from "../../../../test/fuzz/random.js"
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

test("the first and the last unit of every member belong to it, whatever the number of members and their weights", () => {
  const random = new Random(20)
  for (let round = 0; round < 200; round++) {
    const bits = 1 + random.below(50)
    const weights = Array.from(
      { length: 1 + random.below(300) },
      () => 1n + (BigInt(random.below(2 ** 30)) % (1n << BigInt(bits))),
    )
    const scale = 1n << BigInt(random.below(24))
    const sums = new WeightSums(weights.map((weight) => weight * scale))
    let first = 0n
    const found = weights.map((weight) => {
      const [begin, end] = [first, first + weight * scale]
      first = end
      return [memberAt(sums, begin), memberAt(sums, end - 1n)]
    })
    expect(found).toEqual(weights.map((_, member) => [member, member]))
  }
})

test("a set with one heavy member and many light ones has the right member for each unit", () => {
  const sums = new WeightSums([...Array<bigint>(500).fill(1n), 2n ** 60n, ...Array<bigint>(500).fill(1n)])
  expect(memberAt(sums, 499n)).toBe(499)
  expect(memberAt(sums, 500n)).toBe(500)
  expect(memberAt(sums, 499n + 2n ** 60n)).toBe(500)
  expect(memberAt(sums, 500n + 2n ** 60n)).toBe(501)
  expect(memberAt(sums, 999n + 2n ** 60n)).toBe(1000)
})

test("a set without members has no weight", () => {
  expect(new WeightSums([]).total).toBe(0n)
})
