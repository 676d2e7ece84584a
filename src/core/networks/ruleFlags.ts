import { ceilSeconds, floorSeconds, SECOND } from "../lib/go/goDuration.js"
import { Invalid } from "../lib/invalid.js"
import { networkError } from "./errors.js"
import { type FlagKind, type FlagValue, flagForms, readFlagValue } from "./flagValue.js"
import { isProduction, networkNameOf } from "./names.js"
import type { RewardConfig, StakingLimits } from "./params.js"
import { type Dimensions, type GasConfig, type L1FeeConfig, type Params, PERCENT_DENOMINATOR } from "./params.js"

/** A flag of AvalancheGo that sets a rule of a private network. */
export interface RuleFlag {
  readonly name: string
  readonly help: string
  readonly kind: FlagKind
  readonly apply: (params: Params, value: bigint | number) => Params
}

const flag = (name: string, kind: FlagKind, help: string, apply: (params: Params, value: bigint) => Params): RuleFlag => ({
  name,
  kind,
  help,
  apply: (params, value) => apply(params, BigInt(value)),
})

const staking = (params: Params, change: Partial<StakingLimits>): Params => ({
  ...params,
  staking: { ...params.staking, ...change },
})
const reward = (params: Params, change: Partial<RewardConfig>): Params => ({ ...params, reward: { ...params.reward, ...change } })
const gas = (params: Params, change: Partial<GasConfig>): Params => ({
  ...params,
  dynamicFee: { ...params.dynamicFee, ...change },
})
const weights = (params: Params, change: Partial<Dimensions>) =>
  gas(params, { weights: { ...params.dynamicFee.weights, ...change } })
const l1Fee = (params: Params, change: Partial<L1FeeConfig>): Params => ({
  ...params,
  validatorFee: { ...params.validatorFee, ...change },
})

const uptimeRequirement: RuleFlag = {
  name: "uptime-requirement",
  kind: "fraction",
  help: "Share of its time that a validator must be online to be rewarded; 0.9 on the primary network since Helicon",
  apply: (params, value) => staking(params, { uptimeRequirement: Number(value) }),
}

/** Every flag that sets a rule. A new one is one entry here. */
export const ruleFlags: readonly RuleFlag[] = [
  uptimeRequirement,
  flag("min-validator-stake", "nAVAX", "Smallest stake of a validator", (p, v) => staking(p, { minValidatorStake: v })),
  flag("max-validator-stake", "nAVAX", "Largest stake on a validator, own and delegated", (p, v) =>
    staking(p, { maxValidatorStake: v }),
  ),
  flag("min-delegator-stake", "nAVAX", "Smallest stake of a delegator", (p, v) => staking(p, { minDelegatorStake: v })),
  flag("min-delegation-fee", "millionths", "Smallest share of rewards that a validator may ask of its delegators", (p, v) =>
    staking(p, { minDelegationFee: Number(v) }),
  ),
  flag("min-stake-duration", "duration", "Shortest staking period", (p, v) => staking(p, { minStakeDuration: ceilSeconds(v) })),
  flag("helicon-min-stake-duration", "duration", "Shortest staking period of a primary network validator since Helicon", (p, v) =>
    staking(p, { heliconMinStakeNanoseconds: v }),
  ),
  flag("max-stake-duration", "duration", "Longest staking period", (p, v) => staking(p, { maxStakeDuration: floorSeconds(v) })),
  flag(
    "stake-max-consumption-rate",
    "millionths",
    "Share of the remaining supply minted in a minting period, for the longest stakes",
    (p, v) => reward(p, { maxConsumptionRate: v }),
  ),
  flag("stake-min-consumption-rate", "millionths", "The same for the shortest stakes", (p, v) =>
    reward(p, { minConsumptionRate: v }),
  ),
  flag("stake-minting-period", "duration", "Period that the consumption rates refer to", (p, v) =>
    reward(p, { mintingPeriodNanoseconds: v }),
  ),
  flag("stake-supply-cap", "nAVAX", "Most AVAX that can ever exist", (p, v) => reward(p, { supplyCap: v })),

  flag("tx-fee", "nAVAX", "X-Chain fee of a transaction", (p, v) => ({ ...p, txFee: v })),
  flag("create-asset-tx-fee", "nAVAX", "X-Chain fee of a transaction that creates an asset", (p, v) => ({
    ...p,
    createAssetTxFee: v,
  })),

  flag("dynamic-fees-bandwidth-weight", "weight", "Gas for a byte of a transaction", (p, v) => weights(p, { bandwidth: v })),
  flag("dynamic-fees-db-read-weight", "weight", "Gas for a database read", (p, v) => weights(p, { dbRead: v })),
  flag("dynamic-fees-db-write-weight", "weight", "Gas for a database write or delete", (p, v) => weights(p, { dbWrite: v })),
  flag("dynamic-fees-compute-weight", "weight", "Gas for a microsecond of computing", (p, v) => weights(p, { compute: v })),
  flag("dynamic-fees-max-gas-capacity", "gas", "Most gas that can be saved up for blocks to come", (p, v) =>
    gas(p, { maxCapacity: v }),
  ),
  flag("dynamic-fees-max-gas-per-second", "gas", "Gas that comes back every second", (p, v) => gas(p, { maxPerSecond: v })),
  flag("dynamic-fees-target-gas-per-second", "gas", "Use of gas per second at which its price stays", (p, v) =>
    gas(p, { targetPerSecond: v }),
  ),
  flag("dynamic-fees-min-gas-price", "nAVAX", "Lowest price of a unit of gas", (p, v) => gas(p, { minPrice: v })),
  flag("dynamic-fees-excess-conversion-constant", "gas", "Excess gas that multiplies the price by e", (p, v) =>
    gas(p, { excessConversionConstant: v }),
  ),

  flag("validator-fees-capacity", "count", "Most L1 validators active at once", (p, v) => l1Fee(p, { capacity: v })),
  flag("validator-fees-target", "count", "Number of active L1 validators at which their fee stays", (p, v) =>
    l1Fee(p, { target: v }),
  ),
  flag("validator-fees-min-price", "nAVAX per second", "Lowest fee of an L1 validator", (p, v) => l1Fee(p, { minPrice: v })),
  flag("validator-fees-excess-conversion-constant", "count", "Excess of L1 validators that multiplies the fee by e", (p, v) =>
    l1Fee(p, { excessConversionConstant: v }),
  ),
]

/**
 * Returns the rules with these flags applied (name without dashes → value), checked as AvalancheGo checks them. Names of other flags are
 * ignored. Throws `network.rules_fixed` on Mainnet and Fuji, where AvalancheGo ignores them silently.
 */
export function applyRuleFlags(params: Params, given: Readonly<Record<string, FlagValue>>): Params {
  const values = valuesOf(params, given)
  const out = applyValues(params, values)
  if (values.size > 0) checkRules(out, values)
  return out
}

/**
 * Returns the rules of an existing chain, with the flags of its creation. They were checked then, and later checks do not apply to them.
 */
export function applyStoredRuleFlags(params: Params, kept: Readonly<Record<string, FlagValue>>): Params {
  return applyValues(params, valuesOf(params, kept))
}

function valuesOf(params: Params, given: Readonly<Record<string, FlagValue>>): ReadonlyMap<string, bigint | number> {
  const values = new Map<string, bigint | number>()
  for (const { name, kind } of ruleFlags) {
    if (!Object.hasOwn(given, name) || given[name] === undefined) continue
    if (isProduction(params.networkID))
      throw networkError("network.rules_fixed", { flag: name, network: networkNameOf(params.networkID) })
    values.set(name, requireFlagValue(name, kind, given[name]))
  }
  return values
}

function applyValues(params: Params, values: ReadonlyMap<string, bigint | number>): Params {
  return ruleFlags.reduce((rules, { name, apply }) => {
    const value = values.get(name)
    return value === undefined ? rules : apply(rules, value)
  }, params)
}

function requireFlagValue(flag: string, kind: FlagKind, value: FlagValue): bigint | number {
  const refusal = (reason?: string) =>
    networkError("network.flag_value", { flag, value, expected: flagForms[kind], ...(reason === undefined ? {} : { reason }) })
  try {
    const read = readFlagValue(kind, value)
    if (read === undefined) throw refusal()
    return read
  } catch (error) {
    if (!(error instanceof Invalid) || error.code === "network.flag_value") throw error
    throw refusal(error.sentence)
  }
}

/** Makes AvalancheGo's checks in its order. Durations are compared as they were given, before rounding to seconds. */
function checkRules({ staking, reward }: Params, values: ReadonlyMap<string, bigint | number>): void {
  const minDuration = BigInt(values.get("min-stake-duration") ?? staking.minStakeDuration * SECOND)
  const maxDuration = BigInt(values.get("max-stake-duration") ?? staking.maxStakeDuration * SECOND)
  const { heliconMinStakeNanoseconds: heliconMinDuration } = staking
  const { uptimeRequirement, minValidatorStake, maxValidatorStake, minDelegationFee } = staking
  const { maxConsumptionRate, minConsumptionRate, mintingPeriodNanoseconds } = reward
  if (uptimeRequirement < 0 || uptimeRequirement > 1) throw networkError("network.uptime_requirement", { uptimeRequirement })
  if (minValidatorStake > maxValidatorStake) throw networkError("network.stake_limits", { minValidatorStake, maxValidatorStake })
  if (minDelegationFee > PERCENT_DENOMINATOR) throw networkError("network.delegation_fee", { minDelegationFee })
  if (minDuration <= 0n) throw networkError("network.min_stake_duration", { minDuration })
  if (heliconMinDuration <= 0n) throw networkError("network.helicon_min_stake_duration", { heliconMinDuration })
  if (maxDuration < minDuration) throw networkError("network.stake_durations", { minDuration, maxDuration })
  if (maxDuration < heliconMinDuration) throw networkError("network.helicon_stake_durations", { heliconMinDuration, maxDuration })
  if (maxConsumptionRate > PERCENT_DENOMINATOR) throw networkError("network.max_consumption_rate", { maxConsumptionRate })
  if (maxConsumptionRate < minConsumptionRate)
    throw networkError("network.consumption_rates", { maxConsumptionRate, minConsumptionRate })
  if (mintingPeriodNanoseconds < maxDuration)
    throw networkError("network.minting_period", { mintingPeriodNanoseconds, maxDuration })
}
