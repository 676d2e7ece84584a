import { SECOND } from "../../../src/core/lib/go/goDuration.js"
import { defaultUpgrades, UNSCHEDULED, type Upgrades } from "../../../src/core/networks/upgrades.js"
import { contextHeight, newEpoch } from "../../../src/core/rules/epoch.js"
import type { Epoch } from "../../../src/core/types/proposervm.js"
import type { Entry, Group } from "../group.js"

const epochOf = (entry: Entry): Epoch => ({
  pChainHeight: BigInt(entry.pChainHeight),
  number: BigInt(entry.number),
  startTime: BigInt(entry.startTime),
})

const withTimes = (times: Partial<Upgrades["times"]>): Upgrades => ({
  ...defaultUpgrades,
  times: { ...defaultUpgrades.times, ...times },
})

export const epochs: Group = {
  newEpoch({ input, expected }, verdict) {
    const upgrades = {
      ...withTimes({ granite: BigInt(input.graniteTime) }),
      graniteEpochDuration: BigInt(input.epochSeconds) * SECOND,
    }
    const parent = {
      timestamp: BigInt(input.parentTimestamp),
      pChainHeight: BigInt(input.parentPChainHeight),
      epoch: epochOf(input.parentEpoch),
    }
    verdict.equal("epoch", newEpoch(upgrades, parent, BigInt(input.childTimestamp)), expected)
  },

  contextHeight({ input, expected }, verdict) {
    const since = (active: boolean) => (active ? 0n : UNSCHEDULED)
    const upgrades = withTimes({ etna: since(input.etnaActiveAtChildTime), granite: since(input.graniteActiveAtChildTime) })
    const child = { timestamp: 1_800_000_000n, pChainHeight: 2n, epoch: { pChainHeight: 1n, number: 7n, startTime: 0n } }
    const taken = ["epoch", "child", "parent"][Number(contextHeight(upgrades, child, 3n) - 1n)]
    // The name of the third height varies, but always contains the word epoch.
    verdict.equal("height", taken, /epoch/i.test(expected.height) ? "epoch" : expected.height.split(".")[0])
  },
}
