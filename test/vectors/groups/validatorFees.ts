import { advanceExcess, costOf, type L1FeePrice, secondsRemaining } from "../../../src/rules/l1Fee.js"
import type { Entry, Group } from "../group.js"

const configOf = (entry: Entry): L1FeePrice => ({
  target: BigInt(entry.target),
  minPrice: BigInt(entry.minPrice),
  excessConversionConstant: BigInt(entry.excessConversionConstant),
})

export const validatorFees: Group = {
  advanceTime({ input, expected }, verdict) {
    const excess = advanceExcess(BigInt(input.current), BigInt(input.excess), BigInt(input.target), BigInt(input.seconds))
    verdict.equal("excess", excess, expected.excess)
  },

  costOf({ input, expected }, verdict) {
    const config = configOf(input.config)
    const [current, excess, seconds] = [BigInt(input.current), BigInt(input.excess), BigInt(input.seconds)]
    verdict.equal("cost", costOf(config, current, excess, seconds), expected.cost)
    if (expected.excessAfter === undefined) return
    verdict.equal("excess after", advanceExcess(current, excess, config.target, seconds), expected.excessAfter)
  },

  secondsRemaining({ input, expected }, verdict) {
    const config = configOf(input.config)
    const [current, excess] = [BigInt(input.current), BigInt(input.excess)]
    const seconds = secondsRemaining(config, current, excess, BigInt(input.maxSeconds), BigInt(input.funds))
    verdict.equal("seconds", seconds, expected.seconds)
  },
}
