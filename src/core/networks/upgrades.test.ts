import { expect, test } from "vitest"
import { upgradesFor } from "./index.js"
import {
  defaultUpgrades,
  epochSecondsOf,
  isActive,
  requireUpgradeName,
  rulesInForce,
  UNSCHEDULED,
  upgradeNames,
  upTo,
  YEAR_1,
} from "./upgrades.js"

test("an upgrade is active from its very second on", () => {
  const mainnet = upgradesFor(1)
  expect([1_734_368_399n, 1_734_368_400n].map((time) => isActive(mainnet, "etna", time))).toEqual([false, true])
  expect([1_790_089_199n, 1_790_089_200n].map((time) => isActive(mainnet, "helicon", time))).toEqual([false, true])
  expect([1_785_250_799n, 1_785_250_800n].map((time) => isActive(upgradesFor(5), "helicon", time))).toEqual([false, true])
})

test("every network without a schedule has Granite from the start and Helicon never", () => {
  expect(upgradesFor(12345)).toBe(defaultUpgrades)
  expect(upgradesFor(9999)).toBe(defaultUpgrades)
  const active = upgradeNames.filter((name) => isActive(defaultUpgrades, name, 1_607_144_400n))
  expect(active).toEqual(upgradeNames.slice(0, -1))
  expect(upgradeNames.filter((name) => isActive(defaultUpgrades, name, 1_607_144_399n))).toEqual([])
})

test("a private chain may stop before, or go beyond, the rules of today", () => {
  const durango = upTo("durango")
  expect([durango.times.durango, durango.times.etna, durango.times.helicon]).toEqual([1_607_144_400n, UNSCHEDULED, UNSCHEDULED])
  expect(upTo("helicon").times.helicon).toBe(1_607_144_400n)
})

test("a fraction of an epoch's second rounds up", () => {
  const lasting = (graniteEpochDuration: bigint) => epochSecondsOf({ ...defaultUpgrades, graniteEpochDuration })
  expect([30_000_000_000n, 1_500_000_000n, 0n, -1_500_000_000n].map(lasting)).toEqual([30n, 2n, 0n, -1n])
})

test("upgrades are named in any case", () => {
  expect(["ApricotPhasePre6", "GRANITE", "helicon"].map(requireUpgradeName)).toEqual(["apricotPhasePre6", "granite", "helicon"])
  expect(() => requireUpgradeName("etna2")).toThrow(expect.objectContaining({ code: "network.unknown_upgrade" }))
})

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
