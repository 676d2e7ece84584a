import { test } from "vitest"
import { checkSafety } from "./checkSafety.js"

/** `npm run soak` runs 10,000 with those of the other file, which runs beside this one. */
const seeds = Array.from({ length: process.env.SERAC_SOAK ? 5_500 : 18 }, (_, i) => i + 1)

test.each(seeds)("five to eight validators never disagree, and go on after the network has healed: seed %i", (seed) => {
  checkSafety(seed, 5 + (seed % 4))
})
