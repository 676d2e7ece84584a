import { expect, test } from "vitest"
import { sortedInSteps } from "./sortedInSteps.js"
import { doNow } from "./work.js"

/** Items of which equal ones can be distinguished. */
const itemsOf = (count: number) => Array.from({ length: count }, (_, i) => ({ value: (i * 7919) % 1009, place: i }))

const byValue = (a: { value: number }, b: { value: number }) => a.value - b.value

test("items are sorted as toSorted sorts them, equal ones in their order, whatever their number", () => {
  for (const count of [0, 1, 2047, 2048, 2049, 4096, 10_000]) {
    const items = itemsOf(count)
    expect(doNow(sortedInSteps(items, byValue))).toEqual(items.toSorted(byValue))
  }
})

test("no step compares more items than two times those that are sorted at once", () => {
  let compared = 0
  let most = 0
  const work = sortedInSteps(itemsOf(50_000), (a, b) => {
    compared++
    return byValue(a, b)
  })
  while (!work.next().done) {
    most = Math.max(most, compared)
    compared = 0
  }
  expect(most).toBeLessThan(2048 * 12)
})
