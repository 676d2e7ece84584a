import { expect, test } from "vitest"
import { paramsFor } from "./index.js"
import { applyRuleFlags, applyStoredRuleFlags, ruleFlags } from "./ruleFlags.js"

const local = paramsFor(12345)

test("every flag sets its own rule, from text as from a config file's numbers", () => {
  const given = Object.fromEntries(ruleFlags.map(({ name }, index) => [name, 100 + index]))
  // 115 is far from a share and a nanosecond from a duration: these have values of their own.
  const special = {
    "uptime-requirement": "0.5",
    "min-stake-duration": "30s",
    "helicon-min-stake-duration": "1500ms",
    "max-stake-duration": "1h30m",
    "stake-minting-period": "24h",
    "max-validator-stake": 9_007_199_254_740_993n,
    "stake-max-consumption-rate": "1_000",
  }
  expect(applyRuleFlags(local, { ...given, ...special })).toEqual({
    networkID: 12345,
    staking: {
      uptimeRequirement: 0.5,
      minValidatorStake: 101n,
      maxValidatorStake: 9_007_199_254_740_993n,
      minDelegatorStake: 103n,
      minDelegationFee: 104,
      minStakeDuration: 30n,
      heliconMinStakeNanoseconds: 1_500_000_000n,
      maxStakeDuration: 5_400n,
    },
    reward: {
      maxConsumptionRate: 1_000n,
      minConsumptionRate: 109n,
      mintingPeriodNanoseconds: 86_400_000_000_000n,
      supplyCap: 111n,
    },
    txFee: 112n,
    createAssetTxFee: 113n,
    dynamicFee: {
      weights: { bandwidth: 114n, dbRead: 115n, dbWrite: 116n, compute: 117n },
      maxCapacity: 118n,
      maxPerSecond: 119n,
      targetPerSecond: 120n,
      minPrice: 121n,
      excessConversionConstant: 122n,
    },
    validatorFee: { capacity: 123n, target: 124n, minPrice: 125n, excessConversionConstant: 126n },
  })
})

test("rules stay as they are without flags, and names of other flags are passed over", () => {
  expect(applyRuleFlags(local, {})).toBe(local)
  expect(applyRuleFlags(paramsFor(1), { "http-port": 9650, "tx-fee": undefined })).toBe(paramsFor(1))
})

test("fractions of a second round so that whole seconds compare as nanoseconds would", () => {
  const { staking } = applyRuleFlags(local, {
    "min-stake-duration": "1500ms",
    "max-stake-duration": 2_500_000_000,
    "helicon-min-stake-duration": "1s",
  })
  expect([staking.minStakeDuration, staking.maxStakeDuration]).toEqual([2n, 2n])
})

test("Mainnet's and Fuji's rules are fixed", () => {
  for (const networkID of [1, 5]) {
    expect(() => applyRuleFlags(paramsFor(networkID), { "min-stake-duration": "30s" })).toThrow(
      expect.objectContaining({ code: "network.rules_fixed" }),
    )
  }
})

test("a value that cannot be read is refused with its flag", () => {
  const wrong: readonly [flag: string, value: string | number | bigint | boolean | null][] = [
    ["min-validator-stake", "2000 AVAX"],
    ["min-validator-stake", ""],
    ["min-validator-stake", "-1"],
    ["min-validator-stake", -1],
    ["min-validator-stake", 1.5],
    ["min-validator-stake", "010"],
    ["min-validator-stake", "18446744073709551616"],
    ["min-validator-stake", 18_446_744_073_709_551_616n],
    ["min-validator-stake", true],
    ["min-validator-stake", null],
    ["min-stake-duration", "30"],
    ["min-stake-duration", "14d"],
    ["min-stake-duration", 0.5],
    ["uptime-requirement", "80%"],
    ["uptime-requirement", "NaN"],
  ]
  for (const [flag, value] of wrong) {
    expect(() => applyRuleFlags(local, { [flag]: value }), `${flag} ${value}`).toThrow(
      expect.objectContaining({ code: "network.flag_value", data: expect.objectContaining({ flag, value }) }),
    )
  }
})

test("integers may be written with a base and underscores, as Go's flags take them", () => {
  const fee = (value: string) => applyRuleFlags(local, { "tx-fee": value }).txFee
  expect(["0", "0x1F", "0b101", "0o17", "1_000_000"].map(fee)).toEqual([0n, 31n, 5n, 15n, 1_000_000n])
})

test("rules that contradict each other are refused in AvalancheGo's order and words", () => {
  // Each line mends the fault of the line before it.
  const faults: readonly [mend: Record<string, string>, code: string, reference: string][] = [
    [{}, "network.uptime_requirement", "uptime requirement must be in the range [0, 1]"],
    [
      { "uptime-requirement": "1" },
      "network.stake_limits",
      "minimum validator stake can't be greater than maximum validator stake",
    ],
    [{ "max-validator-stake": "5" }, "network.delegation_fee", "delegation fee must be in the range [0, 1,000,000]"],
    [{ "min-delegation-fee": "1000000" }, "network.min_stake_duration", "min stake duration must be > 0"],
    [{ "min-stake-duration": "1.2s" }, "network.helicon_min_stake_duration", "helicon min stake duration must be > 0"],
    [
      { "helicon-min-stake-duration": "1.3s" },
      "network.stake_durations",
      "max stake duration can't be less than min stake duration",
    ],
    [
      { "max-stake-duration": "1.2s" },
      "network.helicon_stake_durations",
      "max stake duration can't be less than helicon min stake duration",
    ],
    [
      { "max-stake-duration": "1.9s" },
      "network.max_consumption_rate",
      "max stake consumption must be less than or equal to 1000000",
    ],
    [
      { "stake-max-consumption-rate": "9" },
      "network.consumption_rates",
      "stake max consumption can't be less than min stake consumption",
    ],
    [
      { "stake-min-consumption-rate": "9" },
      "network.minting_period",
      "stake minting period can't be less than max stake duration",
    ],
  ]
  let given: Record<string, string> = {
    "uptime-requirement": "1.1",
    "min-validator-stake": "5",
    "max-validator-stake": "4",
    "min-delegation-fee": "1000001",
    "min-stake-duration": "0s",
    "helicon-min-stake-duration": "0s",
    "max-stake-duration": "1.1s",
    "stake-max-consumption-rate": "1000001",
    "stake-min-consumption-rate": "10",
    "stake-minting-period": "1.8s",
  }
  for (const [mend, code, reference] of faults) {
    given = { ...given, ...mend }
    expect(() => applyRuleFlags(local, given), code).toThrow(expect.objectContaining({ code, avalanchegoMessage: reference }))
  }
  expect(applyRuleFlags(local, { ...given, "stake-minting-period": "1.9s" }).reward.mintingPeriodNanoseconds).toBe(1_900_000_000n)
})

test("a chain keeps the flags that it was made with, also where a later check would refuse them", () => {
  const kept = { "min-stake-duration": "1m", "max-stake-duration": "30m" }
  expect(() => applyRuleFlags(local, kept)).toThrow(expect.objectContaining({ code: "network.helicon_stake_durations" }))
  expect(applyStoredRuleFlags(local, kept).staking).toEqual({ ...local.staking, minStakeDuration: 60n, maxStakeDuration: 1_800n })
})
