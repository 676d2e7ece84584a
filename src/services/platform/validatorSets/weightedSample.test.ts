import { expect, test } from "vitest"
import { Random } from "../../../../test/fuzz/random.js"
import { drawUnits, memberAt, systemRandom } from "./weightedSample.js"

/** Draws units in two parts. */
function draw(total: bigint, count: number, random = systemRandom(1024)): bigint[] {
  const drawn = new Set<bigint>()
  const [first, middle] = [total - BigInt(count), total - BigInt(count >> 1)]
  drawUnits(drawn, first, middle, random)
  drawUnits(drawn, middle, total, random)
  return [...drawn]
}

test.each([
  [1n, 1],
  [5n, 5],
  [5n, 3],
  [11n, 5],
  [2n ** 32n + 1n, 1000],
  [65_535n, 65_535],
  [131_071n, 65_535],
  [10n ** 18n, 65_535],
  [2n ** 64n - 1n, 3],
])("of %i units, %i are drawn that differ", (total, count) => {
  const drawn = draw(total, count)
  expect(drawn.length).toBe(count)
  expect(drawn.every((unit) => unit < total)).toBe(true)
})

test("every unit is as likely as any other, however many are drawn", () => {
  for (const [total, count, parts] of [
    [6n, 3, 6n],
    [20n, 19, 20n],
    [5n << 60n, 3, 5n],
    [2n ** 64n - 1n, 20, 3n],
  ] as const) {
    const counts = new Map<bigint, number>()
    const rounds = 6_000
    for (let i = 0; i < rounds; i++) {
      for (const unit of draw(total, count)) {
        const part = (unit * parts) / total
        counts.set(part, (counts.get(part) ?? 0) + 1)
      }
    }
    const expected = (rounds * count) / Number(parts)
    // Ten standard deviations: a fair draw fails this less often than machines do.
    for (let part = 0n; part < parts; part++) {
      expect(Math.abs((counts.get(part) ?? 0) - expected)).toBeLessThan(10 * Math.sqrt(expected))
    }
  }
})

test("a value of the incomplete last cycle is drawn again", () => {
  const values = [2n ** 64n - 1n, 7n]
  expect(draw(10n, 1, () => values.shift() as bigint)).toEqual([7n])
})

test("the first and the last unit of every member belong to it, whatever the number of members and their weights", () => {
  const seeded = new Random(20)
  for (let round = 0; round < 200; round++) {
    const scale = 1n << BigInt(seeded.below(24))
    const weights = Array.from({ length: 1 + seeded.below(300) }, () => (1n + BigInt(seeded.below(2 ** 30))) * scale)
    let total = 0n
    const sums = weights.map((weight) => (total += weight))
    const found = weights.map((weight, i) => [
      memberAt(sums, (sums[i] as bigint) - weight),
      memberAt(sums, (sums[i] as bigint) - 1n),
    ])
    expect(found).toEqual(weights.map((_, member) => [member, member]))
  }
})
