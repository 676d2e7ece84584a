import { expect, test } from "vitest"
import { FEW, FewUnits, RandomUnits, unitDraw } from "./unitDraw.js"

/** Draws units and joins their halves. */
function draw(total: bigint, size: number): readonly bigint[] {
  const units = unitDraw(new RandomUnits(total), size)
  return Array.from({ length: size }, () => {
    units.next()
    return (BigInt(units.high) << 32n) | BigInt(units.low)
  })
}

test("a sample has the requested number of different units", () => {
  for (const [total, size] of [
    [1n, 1],
    [5n, 5],
    [5n, 3],
    [10n, 5],
    [11n, 5],
    [65n, 32],
    [67n, 33],
    [2n ** 32n - 1n, 1000],
    [2n ** 32n, 1000],
    [2n ** 32n + 1n, 1000],
    [131_071n, 65_535],
    [131_070n, 65_535],
    [10n ** 18n, 65_535],
    [2n ** 64n - 1n, 3],
  ] as const) {
    const drawn = draw(total, size)
    expect(new Set(drawn).size).toBe(size)
    expect(drawn.every((unit) => unit >= 0n && unit < total)).toBe(true)
  }
})

test("every unit is as likely as any other", () => {
  for (const total of [6n, 20n]) {
    const counts = new Map<bigint, number>()
    const rounds = 6_000
    for (let i = 0; i < rounds; i++) for (const unit of draw(total, 3)) counts.set(unit, (counts.get(unit) ?? 0) + 1)
    const expected = (rounds * 3) / Number(total)
    // Ten standard deviations: a fair draw fails this less often than machines do.
    for (let unit = 0n; unit < total; unit++) {
      expect(Math.abs((counts.get(unit) ?? 0) - expected)).toBeLessThan(10 * Math.sqrt(expected))
    }
  }
})

test("every part of a total of 64 bits is as likely as any other", () => {
  const total = 5n << 60n
  const counts = new Map<bigint, number>()
  const rounds = 20_000
  for (const unit of draw(total, rounds)) counts.set(unit >> 60n, (counts.get(unit >> 60n) ?? 0) + 1)
  const expected = rounds / 5
  for (let part = 0n; part < 5n; part++) {
    expect(Math.abs((counts.get(part) ?? 0) - expected)).toBeLessThan(10 * Math.sqrt(expected))
  }
})

test("a sample of a few units has different units in ascending order, each as likely as any other", () => {
  for (const [total, size] of [
    [3n, 1],
    [65n, FEW],
    [41n, 20],
    [2n ** 32n, FEW],
    [2n ** 64n - 1n, FEW],
  ] as const) {
    const few = new FewUnits(new RandomUnits(total))
    const counts = new Map<bigint, number>()
    const rounds = 3_000
    for (let i = 0; i < rounds; i++) {
      few.draw(size)
      const drawn = Array.from(
        { length: size },
        (_, j) => (BigInt(few.highs[j] as number) << 32n) | BigInt(few.lows[j] as number),
      )
      expect(drawn.every((unit, j) => unit < total && (j === 0 || unit > (drawn[j - 1] as bigint)))).toBe(true)
      for (const unit of drawn) {
        const part = (unit * 3n) / total
        counts.set(part, (counts.get(part) ?? 0) + 1)
      }
    }
    for (let part = 0n; part < 3n; part++) {
      const units = ((part + 1n) * total + 2n) / 3n - (part * total + 2n) / 3n
      const expected = rounds * size * (Number(units) / Number(total))
      expect(Math.abs((counts.get(part) ?? 0) - expected)).toBeLessThan(10 * Math.sqrt(expected))
    }
  }
})
