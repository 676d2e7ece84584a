import { expect, test } from "vitest"
import { upgradesFor } from "./index.js"
import { rulesInForce } from "./rulesInForce.js"
import { upTo, YEAR_1 } from "./upgrades.js"

test("the last active upgrade is named, with the next one and its time", () => {
  const mainnet = upgradesFor(1)
  expect([1_600_000_000n, 1_662_341_400n, 1_790_089_199n, 1_790_089_200n].map((time) => rulesInForce(mainnet, time))).toEqual([
    "none of the upgrades, ApricotPhase1 from 2021-03-31T14:00:00Z",
    "ApricotPhasePre6, ApricotPhase6 from 2022-09-06T20:00:00Z",
    "Granite, Helicon from 2026-09-22T15:00:00Z",
    "Helicon",
  ])
})

test("an upgrade without a time is said not to be scheduled", () => {
  const now = 1_800_000_000n
  expect(rulesInForce(upTo("helicon"), now)).toBe("Helicon")
  expect(rulesInForce(upTo("granite"), now)).toBe("Granite, Helicon is not scheduled")
  const { times, ...rest } = upTo("helicon")
  expect(rulesInForce({ ...rest, times: { ...times, helicon: YEAR_1 } }, now)).toBe("Helicon")
})
