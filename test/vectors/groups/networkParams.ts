import { SECOND } from "../../../src/core/lib/go/goDuration.js"
import type { Group } from "../group.js"
import { networkNamed } from "../networkNamed.js"

export const networkParams: Group = {
  staking({ input, expected }, verdict) {
    const { staking } = networkNamed(input.network).params
    // The records are older than Helicon's minimum.
    const { uptimeRequirement, minStakeDuration, maxStakeDuration, heliconMinStakeNanoseconds: _, ...amounts } = staking
    const got = {
      ...amounts,
      uptimeRequirementPercent: uptimeRequirement * 100,
      minStakeDurationSeconds: minStakeDuration,
      maxStakeDurationSeconds: maxStakeDuration,
    }
    verdict.equal("staking", got, expected)
  },

  reward({ input, expected }, verdict) {
    const { mintingPeriodNanoseconds, ...rest } = networkNamed(input.network).params.reward
    verdict.equal("reward", { ...rest, mintingPeriodSeconds: mintingPeriodNanoseconds / SECOND }, expected)
  },

  dynamicFee({ input, expected }, verdict) {
    verdict.equal("dynamic fee", networkNamed(input.network).params.dynamicFee, expected)
  },

  validatorFee({ input, expected }, verdict) {
    verdict.equal("validator fee", networkNamed(input.network).params.validatorFee, expected)
  },
}
