import { describe, test } from "vitest"
import { seedRange, seedsIn } from "../seedRange.js"
import { checkSafety } from "./checkSafety.js"

const seeds = (first: number, last: number, inTest: number) =>
  seedsIn(seedRange([first, first + inTest - 1], [first, last]), [first, last])

describe("validators never disagree, and continue after the network has healed", () => {
  test.each(seeds(5_501, 9_500, 2))("five to eight: seed %i", (seed) => {
    checkSafety(seed, 5 + (seed % 4))
  })

  test.each(seeds(9_501, 9_900, 1))("nine to twenty: seed %i", (seed) => {
    checkSafety(seed, 9 + (seed % 12))
  })

  test.each(seeds(9_901, 10_000, 0))("a hundred: seed %i", (seed) => {
    checkSafety(seed, 100, 2_000)
  })
})
