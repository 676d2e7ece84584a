import { HOUR, SECOND } from "../lib/go/goDuration.js"
import { LOCAL_ID } from "./names.js"
import type { Network } from "./network.js"
import { AVAX } from "./params.js"
import { defaultUpgrades } from "./upgrades.js"

const DAY = 86_400n

/** The local network, and the model of every network without a name. Its genesis changes with time, so none is published. */
export const local: Network = {
  upgrades: defaultUpgrades,
  params: {
    networkID: LOCAL_ID,
    staking: {
      uptimeRequirement: 0.8,
      minValidatorStake: 2_000n * AVAX,
      maxValidatorStake: 3_000_000n * AVAX,
      minDelegatorStake: 25n * AVAX,
      minDelegationFee: 20_000,
      minStakeDuration: DAY,
      heliconMinStakeNanoseconds: HOUR,
      maxStakeDuration: 365n * DAY,
    },
    reward: {
      maxConsumptionRate: 120_000n,
      minConsumptionRate: 100_000n,
      mintingPeriodNanoseconds: 365n * DAY * SECOND,
      supplyCap: 720_000_000n * AVAX,
    },
    dynamicFee: {
      weights: { bandwidth: 1n, dbRead: 1_000n, dbWrite: 1_000n, compute: 4n },
      maxCapacity: 1_000_000n,
      maxPerSecond: 100_000n,
      targetPerSecond: 50_000n,
      minPrice: 1n,
      // The price doubles every 30 s of full blocks. The value is fixed, because computers may disagree on the logarithm behind it.
      excessConversionConstant: 2_164_043n,
    },
    // The price doubles every minute at full capacity.
    validatorFee: { capacity: 20_000n, target: 10_000n, minPrice: 1n, excessConversionConstant: 865_617n },
    txFee: 1_000_000n,
    createAssetTxFee: 1_000_000n,
  },
}
