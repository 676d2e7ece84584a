import { expect, test } from "vitest"
import { RandomBits } from "./randomBits.js"
import { draw } from "./sampleValidators.js"

const bits = new RandomBits()

test("a sample has the requested number of different units", () => {
  for (const [total, size] of [
    [1n, 1],
    [5n, 5],
    [5n, 3],
    [10n, 5],
    [11n, 5],
    [10n ** 18n, 1000],
    [2n ** 64n - 1n, 3],
  ] as const) {
    const drawn = [...draw(total, size, bits)]
    expect(new Set(drawn).size).toBe(size)
    expect(drawn.every((unit) => unit >= 0n && unit < total)).toBe(true)
  }
})

test("every unit is as likely as any other", () => {
  for (const total of [6n, 20n]) {
    const counts = new Map<bigint, number>()
    const rounds = 6_000
    for (let i = 0; i < rounds; i++) for (const unit of draw(total, 3, bits)) counts.set(unit, (counts.get(unit) ?? 0) + 1)
    const expected = (rounds * 3) / Number(total)
    // Ten standard deviations: a fair draw fails this less often than machines do.
    for (let unit = 0n; unit < total; unit++) {
      expect(Math.abs((counts.get(unit) ?? 0) - expected)).toBeLessThan(10 * Math.sqrt(expected))
    }
  }
})
