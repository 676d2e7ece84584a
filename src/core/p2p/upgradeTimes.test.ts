import { expect, test } from "vitest"
import { defaultUpgrades, UNSCHEDULED, type UpgradeTimes, upgradeNames, YEAR_1 } from "../networks/upgrades.js"
import { ANNOUNCED_VERSION } from "./clientVersion.js"
import type { Peers } from "./peers.js"
import { announcedUpgrade, futureUpgradeReport, upgradeDifference } from "./upgradeTimes.js"

const ACTIVE = 1_607_144_400n

/** Validators with these weights, which announce a time; `minor` is that of their version. */
function peersOf(...validators: readonly (readonly [weight: bigint, upgradeTime: bigint, minor?: number])[]) {
  const status = () =>
    validators.map(([, upgradeTime, minor = 15], i) => ({
      nodeID: `${i}`,
      description: { upgradeTime, version: { ...ANNOUNCED_VERSION, minor } },
    }))
  return { status, validatorWeights: () => new Map(validators.map(([weight], i) => [`${i}`, weight])) } as unknown as Peers
}

const upgradesAt = (times: Partial<UpgradeTimes>) => ({ ...defaultUpgrades, times: { ...defaultUpgrades.times, ...times } })

test("this release announces the newest upgrade that it knows", () => {
  expect(announcedUpgrade(ANNOUNCED_VERSION)).toBe(upgradeNames.at(-1))
})

test("a time that more than half of the connected stake announces otherwise is a difference, whichever is later", () => {
  expect(upgradeDifference(peersOf([60n, UNSCHEDULED], [40n, ACTIVE]), upgradesAt({ helicon: ACTIVE }))).toEqual({
    facts: {
      upgrade: "helicon",
      local: "2020-12-05 05:00:00 +0000 UTC",
      announced: "9999-12-01 00:00:00 +0000 UTC",
      stakePercentage: 60,
    },
    from: ACTIVE,
  })
  expect(upgradeDifference(peersOf([100n, ACTIVE]), upgradesAt({ helicon: UNSCHEDULED }))).toMatchObject({
    facts: { local: "9999-12-01 00:00:00 +0000 UTC", announced: "2020-12-05 05:00:00 +0000 UTC" },
    from: ACTIVE,
  })
})

test.each([
  ["the same time", peersOf([100n, ACTIVE])],
  ["another time, with half of the stake", peersOf([50n, UNSCHEDULED], [50n, ACTIVE])],
  ["two other times, with less than half of the stake each", peersOf([40n, UNSCHEDULED], [40n, 5n], [20n, ACTIVE])],
  ["another time, without stake", peersOf([0n, UNSCHEDULED])],
  ["the time of Granite, with v1.14", peersOf([100n, defaultUpgrades.times.granite, 14])],
  ["the time of an upgrade that is not known here", peersOf([100n, UNSCHEDULED, 16])],
])("validators that announce %s are no difference", (_name, peers) => {
  expect(upgradeDifference(peers, upgradesAt({ helicon: ACTIVE }))).toBeUndefined()
})

test("a time with a fraction of a second is announced without it", () => {
  const upgrades = { ...upgradesAt({ helicon: ACTIVE }), roundedUpBy: { helicon: 1n } }
  expect(upgradeDifference(peersOf([100n, ACTIVE - 1n]), upgrades)).toBeUndefined()
  expect(upgradeDifference(peersOf([100n, ACTIVE]), upgrades)?.facts.local).toBe("2020-12-05 04:59:59 +0000 UTC")
})

test("a time before 1970, and one beyond every calendar, can be announced", () => {
  const years = peersOf([100n, BigInt.asUintN(64, YEAR_1)])
  expect(upgradeDifference(years, upgradesAt({ helicon: YEAR_1 }))).toBeUndefined()
  expect(upgradeDifference(years, upgradesAt({ helicon: ACTIVE }))?.facts.announced).toBe("0001-01-01 00:00:00 +0000 UTC")
  const beyond = upgradeDifference(peersOf([100n, 2n ** 63n - 1n]), upgradesAt({}))
  expect(beyond?.facts.announced).toBe("292277026596-12-04 15:30:07 +0000 UTC")
})

test("a difference fails the health check, which names both times", () => {
  const upgrades = upgradesAt({ helicon: ACTIVE })
  expect(() => futureUpgradeReport(peersOf([100n, UNSCHEDULED]), upgrades, ACTIVE)).toThrow(
    "the time of helicon is 2020-12-05 05:00:00 +0000 UTC here, and 9999-12-01 00:00:00 +0000 UTC for 100.0% of the connected stake",
  )
  expect(futureUpgradeReport(peersOf([100n, ACTIVE]), upgrades, ACTIVE)).toMatchObject({ modeUpgradeWeightPercentage: 100 })
})
