import { expect, test } from "vitest"
import { paramsFor } from "../networks/index.js"
import { minConsumptionRateAt, rewardOf, splitReward } from "./reward.js"

const { reward } = paramsFor(1)
const AVAX = 1_000_000_000n

test("2,000 AVAX for 14 days at a supply of 450 million earn what AvalancheGo pays", () => {
  expect(rewardOf(reward, 14n * 86_400n, 2_000n * AVAX, 450_000_000n * AVAX)).toBe(4_638_048_414n)
})

test("a year earns the full rate, and no stake earns more than is left to mint", () => {
  const year = 365n * 86_400n
  expect(rewardOf(reward, year, 1_000_000n * AVAX, 360_000_000n * AVAX)).toBe(120_000n * AVAX)
  expect(rewardOf(reward, year, 720_000_000n * AVAX, AVAX)).toBe(719_999_999n * AVAX)
  expect(rewardOf(reward, year, AVAX, 720_000_000n * AVAX)).toBe(0n)
})

test("a cap below the supply wraps around as in the reference", () => {
  const config = { ...reward, supplyCap: 1n }
  expect(rewardOf(config, 365n * 86_400n, 1n << 62n, 2n)).toBe(2n ** 64n - 1n)
})

test("a fraction of a second in the minting period counts", () => {
  const config = { ...reward, mintingPeriodNanoseconds: 1_500_000_000n }
  expect(rewardOf(config, 1n, 1_000_000n * AVAX, 360_000_000n * AVAX)).toBe(75_555_555_555_555n)
})

test("a delegation reward splits in the delegatee's favour", () => {
  expect(splitReward(1_000_000n, 250_000)).toEqual({ delegatee: 250_000n, delegator: 750_000n })
  expect(splitReward(1n, 1)).toEqual({ delegatee: 1n, delegator: 0n })
  expect(splitReward(7n, 0)).toEqual({ delegatee: 0n, delegator: 7n })
})

test("a reward past 64 bits of product is split coarsely", () => {
  // 980,000 × total passes 2^64 between these two.
  expect(splitReward(18_823_208_238_479n, 20_000)).toEqual({ delegatee: 376_464_164_770n, delegator: 18_446_744_073_709n })
  expect(splitReward(18_823_208_999_999n, 20_000)).toEqual({ delegatee: 376_465_159_999n, delegator: 18_446_743_840_000n })
})

test("the ramp of Helicon begins with the fraction of a second of its time, as in AvalancheGo", () => {
  const start = 1_735_689_600n
  const rewardWith = (fraction: bigint) => {
    const minConsumptionRate = minConsumptionRateAt(reward, start + 312n, start * AVAX + fraction)
    return rewardOf({ ...reward, minConsumptionRate }, 30n * 86_400n, 3_000_000n * AVAX, 360_000_000n * AVAX)
  }
  // Both by NewPrimaryNetworkCalculator of v1.15.0.
  expect([rewardWith(500_000_000n), rewardWith(1_000_000_000n)]).toEqual([25_062_637_267_780n, 25_062_863_576_656n])
})
