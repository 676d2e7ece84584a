import { epochSecondsOf, isActive, requireUpgradeName } from "../../../src/core/networks/upgrades.js"
import type { Group } from "../group.js"
import { networkNamed } from "../networkNamed.js"

export const upgrades: Group = {
  activation({ input, expected }, verdict) {
    verdict.equal("time", networkNamed(input.network).upgrades.times[requireUpgradeName(input.upgrade)], expected.unix)
  },

  graniteEpochSeconds({ input, expected }, verdict) {
    verdict.equal("seconds", epochSecondsOf(networkNamed(input.network).upgrades), expected.seconds)
  },

  apricotPhase4MinPChainHeight({ input, expected }, verdict) {
    verdict.equal("height", networkNamed(input.network).upgrades.apricotPhase4MinPChainHeight, expected.height)
  },

  isActivated({ input, expected }, verdict) {
    const schedule = networkNamed(input.network).upgrades
    verdict.equal("active", isActive(schedule, requireUpgradeName(input.upgrade), BigInt(input.timestamp)), expected.active)
  },
}
