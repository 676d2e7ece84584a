import { ceilSeconds, floorSeconds, SECOND } from "../lib/go/goDuration.js"
import { valueOrThrow } from "../lib/invalid.js"
import { MAX64 } from "../lib/math64.js"
import { END_OF_TIME } from "../lib/wholeSeconds.js"
import { networkError } from "./errors.js"
import { type FlagKind, type FlagValue, flagForms, readFlagValue } from "./flagValue.js"
import { isProduction, networkNameOf } from "./names.js"
import type { RewardConfig, StakingLimits } from "./params.js"
import { type Dimensions, type GasConfig, type L1FeeConfig, type Params, PERCENT_DENOMINATOR } from "./params.js"

/** The place of a number in the rules. */
type RulePath =
  | `staking.${keyof StakingLimits}`
  | `reward.${keyof RewardConfig}`
  | `dynamicFee.${Exclude<keyof GasConfig, "weights">}`
  | `dynamicFee.weights.${keyof Dimensions}`
  | `validatorFee.${keyof L1FeeConfig}`
  | "txFee"
  | "createAssetTxFee"

/** A flag of AvalancheGo that sets a rule of a private network. */
export interface RuleFlag {
  readonly name: string
  readonly kind: FlagKind
  readonly path: RulePath
  readonly help: string
  /** Converts the value of the flag to that of the rule. */
  readonly convert: (value: bigint | number) => bigint | number
}

function flag(name: string, kind: FlagKind, path: RulePath, help: string, convert: RuleFlag["convert"] = BigInt): RuleFlag {
  return { name, kind, path, help, convert }
}

const wholeSeconds = (round: (nanoseconds: bigint) => bigint) => (value: bigint | number) => round(BigInt(value))

/** Every flag that sets a rule. A new one is one entry here. */
export const ruleFlags: readonly RuleFlag[] = [
  flag(
    "uptime-requirement",
    "fraction",
    "staking.uptimeRequirement",
    "Share of its time that a validator must be online to be rewarded; 0.9 on the primary network since Helicon",
    Number,
  ),
  flag("min-validator-stake", "nAVAX", "staking.minValidatorStake", "Smallest stake of a validator"),
  flag("max-validator-stake", "nAVAX", "staking.maxValidatorStake", "Largest stake on a validator, own and delegated"),
  flag("min-delegator-stake", "nAVAX", "staking.minDelegatorStake", "Smallest stake of a delegator"),
  flag(
    "min-delegation-fee",
    "millionths",
    "staking.minDelegationFee",
    "Smallest share of rewards that a validator may ask of its delegators",
    Number,
  ),
  flag("min-stake-duration", "duration", "staking.minStakeDuration", "Shortest staking period", wholeSeconds(ceilSeconds)),
  flag(
    "helicon-min-stake-duration",
    "duration",
    "staking.heliconMinStakeNanoseconds",
    "Shortest staking period of a primary network validator since Helicon",
  ),
  flag("max-stake-duration", "duration", "staking.maxStakeDuration", "Longest staking period", wholeSeconds(floorSeconds)),
  flag(
    "stake-max-consumption-rate",
    "millionths",
    "reward.maxConsumptionRate",
    "Share of the remaining supply minted in a minting period, for the longest stakes",
  ),
  flag("stake-min-consumption-rate", "millionths", "reward.minConsumptionRate", "The same for the shortest stakes"),
  flag("stake-minting-period", "duration", "reward.mintingPeriodNanoseconds", "Period that the consumption rates refer to"),
  flag("stake-supply-cap", "nAVAX", "reward.supplyCap", "Most AVAX that can ever exist"),
  flag("tx-fee", "nAVAX", "txFee", "X-Chain fee of a transaction"),
  flag("create-asset-tx-fee", "nAVAX", "createAssetTxFee", "X-Chain fee of a transaction that creates an asset"),
  flag("dynamic-fees-bandwidth-weight", "weight", "dynamicFee.weights.bandwidth", "Gas for a byte of a transaction"),
  flag("dynamic-fees-db-read-weight", "weight", "dynamicFee.weights.dbRead", "Gas for a database read"),
  flag("dynamic-fees-db-write-weight", "weight", "dynamicFee.weights.dbWrite", "Gas for a database write or delete"),
  flag("dynamic-fees-compute-weight", "weight", "dynamicFee.weights.compute", "Gas for a microsecond of computing"),
  flag("dynamic-fees-max-gas-capacity", "gas", "dynamicFee.maxCapacity", "Most gas that can be saved up for blocks to come"),
  flag("dynamic-fees-max-gas-per-second", "gas", "dynamicFee.maxPerSecond", "Gas that comes back every second"),
  flag(
    "dynamic-fees-target-gas-per-second",
    "gas",
    "dynamicFee.targetPerSecond",
    "Use of gas per second at which its price stays",
  ),
  flag("dynamic-fees-min-gas-price", "nAVAX", "dynamicFee.minPrice", "Lowest price of a unit of gas"),
  flag(
    "dynamic-fees-excess-conversion-constant",
    "gas",
    "dynamicFee.excessConversionConstant",
    "Excess gas that multiplies the price by e",
  ),
  flag("validator-fees-capacity", "count", "validatorFee.capacity", "Most L1 validators active at once"),
  flag("validator-fees-target", "count", "validatorFee.target", "Number of active L1 validators at which their fee stays"),
  flag("validator-fees-min-price", "nAVAX per second", "validatorFee.minPrice", "Lowest fee of an L1 validator"),
  flag(
    "validator-fees-excess-conversion-constant",
    "count",
    "validatorFee.excessConversionConstant",
    "Excess of L1 validators that multiplies the fee by e",
  ),
]

/** Returns rules with another number at a place. */
function withValue<T>(rules: T, [name, ...rest]: readonly string[], value: bigint | number): T {
  const part = (rules as Record<string, unknown>)[name as string]
  return { ...rules, [name as string]: rest.length === 0 ? value : withValue(part, rest, value) }
}

/** Returns the value of a rule that a chain has, in the form of its flag. */
export function storedRuleValue(params: Params, name: string): string | undefined {
  const found = ruleFlags.find((each) => each.name === name)
  if (!found) return undefined
  const value = found.path.split(".").reduce((part: unknown, each) => (part as Record<string, unknown>)[each], params)
  if (found.kind !== "duration") return String(value)
  return `${found.path.endsWith("Nanoseconds") ? floorSeconds(value as bigint) : value}s`
}

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
  return ruleFlags.reduce((rules, { name, path, convert }) => {
    const value = values.get(name)
    return value === undefined ? rules : withValue(rules, path.split("."), convert(value))
  }, params)
}

function requireFlagValue(flag: string, kind: FlagKind, value: FlagValue): bigint | number {
  const refusal = (reason?: string) =>
    networkError("network.flag_value", { flag, value, expected: flagForms[kind], ...(reason === undefined ? {} : { reason }) })
  const read = valueOrThrow(
    () => readFlagValue(kind, value),
    ({ sentence }) => refusal(sentence),
  )
  if (read === undefined) throw refusal()
  return read
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

/**
 * Checks the lowest fee of L1 validators for a chain that begins at this time (Unix seconds). AvalancheGo adds the fee of every second, even
 * if there is no such validator, and makes no block when the sum does not fit. Throws `network.fees_overflow`.
 */
export function checkFeesLast({ validatorFee: { minPrice } }: Params, start: bigint): void {
  const highest = MAX64 / (END_OF_TIME - start)
  if (minPrice > highest) throw networkError("network.fees_overflow", { minPrice, highest })
}
