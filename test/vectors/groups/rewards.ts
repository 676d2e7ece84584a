import { SECOND } from "../../../src/lib/goDuration.js"
import { add64 } from "../../../src/lib/math64.js"
import type { RewardConfig } from "../../../src/networks/params.js"
import { rewardOf, splitReward } from "../../../src/rules/reward.js"
import type { Entry, Group } from "../group.js"

const configOf = (config: Entry): RewardConfig => ({
  maxConsumptionRate: BigInt(config.maxConsumptionRate),
  minConsumptionRate: BigInt(config.minConsumptionRate),
  mintingPeriodNanoseconds: BigInt(config.mintingPeriod) * SECOND,
  supplyCap: BigInt(config.supplyCap),
})

export const rewards: Group = {
  calculate({ input, expected }, verdict) {
    const config = configOf(input.config)
    const reward = rewardOf(config, BigInt(input.durationSeconds), BigInt(input.stake), BigInt(input.currentSupply))
    verdict.equal("reward", reward, expected.reward)
  },

  sequential({ input, expected }, verdict) {
    const config = configOf(input.config)
    const potentialRewards: bigint[] = []
    let supply = BigInt(input.initialSupply)
    for (const staker of input.stakers) {
      const reward = rewardOf(config, BigInt(staker.durationSeconds), BigInt(staker.stake), supply)
      potentialRewards.push(reward)
      supply = add64(supply, reward)
    }
    verdict.equal("rewards and supply", { potentialRewards, finalSupply: supply }, expected)
  },

  split({ input, expected }, verdict) {
    verdict.equal("split", splitReward(BigInt(input.amount), Number(input.shares)), expected)
  },
}
