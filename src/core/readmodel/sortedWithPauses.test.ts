import { expect, test } from "vitest"
import { neverPausing } from "../lib/pace.js"
import { sortedWithPauses } from "./stakes.js"

/** Items of which equal ones can be distinguished. */
const itemsOf = (count: number) => Array.from({ length: count }, (_, i) => ({ value: (i * 7919) % 1009, place: i }))

const byValue = (a: { value: number }, b: { value: number }) => a.value - b.value

test("items are sorted as toSorted sorts them, equal ones in their order, whatever their number", async () => {
  for (const count of [0, 1, 2047, 2048, 2049, 4096, 10_000]) {
    const items = itemsOf(count)
    expect(await sortedWithPauses(items, byValue, neverPausing)).toEqual(items.toSorted(byValue))
  }
})

test("no piece compares more items than two times those that are sorted at once", async () => {
  let compared = 0
  let most = 0
  const pace = {
    isDue: true,
    async pause() {
      most = Math.max(most, compared)
      compared = 0
    },
  }
  const counted = (a: { value: number }, b: { value: number }) => {
    compared++
    return byValue(a, b)
  }
  await sortedWithPauses(itemsOf(50_000), counted, pace)
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(2048 * 12)
})
