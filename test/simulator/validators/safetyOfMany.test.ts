import { describe, test } from "vitest"
import { checkSafety } from "./checkSafety.js"

const isSoak = process.env.SERAC_SOAK !== undefined
const seedsFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)

describe("validators never disagree, and go on after the network has healed", () => {
  test.each(seedsFrom(5_501, isSoak ? 4_000 : 4))("five to eight: seed %i", (seed) => {
    checkSafety(seed, 5 + (seed % 4))
  })

  test.each(seedsFrom(9_501, isSoak ? 400 : 2))("nine to twenty: seed %i", (seed) => {
    checkSafety(seed, 9 + (seed % 12))
  })

  test.each(seedsFrom(9_901, isSoak ? 100 : 0))("a hundred: seed %i", (seed) => {
    checkSafety(seed, 100, 2_000)
  })
})
