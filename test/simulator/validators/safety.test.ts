import { test } from "vitest"
import { seedRange, seedsIn } from "../seedRange.js"
import { checkSafety } from "./checkSafety.js"

/** `npm run soak` runs 10,000 with those of the other file, which runs beside this one; `SERAC_SEEDS=1-1000` runs these. */
const seeds = seedsIn(seedRange([1, 10], [1, 5_500]), [1, 5_500])

/** A seed in which validators that forget their votes when they are killed accept two blocks at one height. */
test.each([528])("killed validators vote as before when they are back: seed %i", (seed) => {
  checkSafety(seed, 5 + (seed % 4), 8_000)
})

test.each(seeds)("five to eight validators never disagree, and continue after the network has healed: seed %i", (seed) => {
  checkSafety(seed, 5 + (seed % 4))
})
