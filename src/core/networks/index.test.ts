import { expect, test } from "vitest"
import { networkFor, networks, paramsFor } from "./index.js"

test("Mainnet and Fuji name their published genesis, the local network has none", () => {
  expect(networks.map(({ params, genesisID }) => [params.networkID, genesisID])).toEqual([
    [1, "3e6662fdbd88bcf4c7dd82cb4699c0807f1d7315d493bc38532697e11b226276"],
    [5, "2e6b699298a664793bff42dae9c1af8d9c54645d8b376fd331e0b67475578e0a"],
    [12345, undefined],
  ])
})

test("Mainnet's rules are those of AvalancheGo", () => {
  expect(paramsFor(1)).toEqual({
    networkID: 1,
    staking: {
      uptimeRequirement: 0.8,
      minValidatorStake: 2_000_000_000_000n,
      maxValidatorStake: 3_000_000_000_000_000n,
      minDelegatorStake: 25_000_000_000n,
      minDelegationFee: 20_000,
      minStakeDuration: 1_209_600n,
      heliconMinStakeNanoseconds: 172_800_000_000_000n,
      maxStakeDuration: 31_536_000n,
    },
    reward: {
      maxConsumptionRate: 120_000n,
      minConsumptionRate: 100_000n,
      mintingPeriodNanoseconds: 31_536_000_000_000_000n,
      supplyCap: 720_000_000_000_000_000n,
    },
    dynamicFee: {
      weights: { bandwidth: 1n, dbRead: 1_000n, dbWrite: 1_000n, compute: 4n },
      maxCapacity: 1_000_000n,
      maxPerSecond: 100_000n,
      targetPerSecond: 50_000n,
      minPrice: 1n,
      excessConversionConstant: 2_164_043n,
    },
    validatorFee: { capacity: 20_000n, target: 10_000n, minPrice: 512n, excessConversionConstant: 1_246_488_515n },
    txFee: 1_000_000n,
    createAssetTxFee: 10_000_000n,
  })
})

test("Fuji differs from Mainnet in small stakes, durations of a day and half a day, and the L1 fee's speed", () => {
  const mainnet = paramsFor(1)
  expect(paramsFor(5)).toEqual({
    ...mainnet,
    networkID: 5,
    staking: {
      ...mainnet.staking,
      minValidatorStake: 1_000_000_000n,
      minDelegatorStake: 1_000_000_000n,
      minStakeDuration: 86_400n,
      heliconMinStakeNanoseconds: 43_200_000_000_000n,
    },
    validatorFee: { ...mainnet.validatorFee, excessConversionConstant: 51_937_021n },
  })
})

test("the local network and all without a name differ in durations of a day and an hour, the L1 fee and the fee of an asset", () => {
  const mainnet = paramsFor(1)
  const local = {
    ...mainnet,
    networkID: 12345,
    staking: { ...mainnet.staking, minStakeDuration: 86_400n, heliconMinStakeNanoseconds: 3_600_000_000_000n },
    validatorFee: { ...mainnet.validatorFee, minPrice: 1n, excessConversionConstant: 865_617n },
    createAssetTxFee: 1_000_000n,
  }
  expect(paramsFor(12345)).toEqual(local)
  expect(paramsFor(9999)).toEqual({ ...local, networkID: 9999 })
  expect(networkFor(9999).genesisID).toBeUndefined()
})
