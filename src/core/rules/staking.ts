import { ceilSeconds, floorSeconds } from "../lib/go/goDuration.js"
import { goTime } from "../lib/go/goTime.js"
import { add64, addWrapping64 } from "../lib/math64.js"
import { PERCENT_DENOMINATOR, type RewardConfig } from "../networks/params.js"
import { exactTimeOf, isActive } from "../networks/upgrades.js"
import type { Diff } from "../state/diff.js"
import type { Staker, ValidatorKey } from "../state/staker.js"
import { addCurrentStaker, addPendingStaker, validatorOf } from "../state/stakers.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { type ID, idText, type NodeID, nodeIDText, PRIMARY_NETWORK_ID } from "../types/id.js"
import { chainTimeOf, isActiveNow, type Rules, type StakerInfo, type TxContext } from "./context.js"
import { rulesError } from "./errors.js"
import { minConsumptionRateAt, rewardOf } from "./reward.js"

/** Staking rules of a network. Durations are in seconds. */
export interface StakingRules {
  readonly assetID: ID
  /** The asset of a subnet that has its own, for errors: amounts without it are nAVAX. */
  readonly asset?: string
  readonly minValidatorStake: bigint
  readonly maxValidatorStake: bigint
  readonly minDelegatorStake: bigint
  readonly minStakeDuration: bigint
  readonly maxStakeDuration: bigint
  readonly minDelegationFee: number
  /** The maximum weight of a validator as a multiple of its own stake. */
  readonly maxValidatorWeightFactor: bigint
}

/** The largest weight of a primary network validator with its delegators, as a multiple of its own stake. */
export const MAX_VALIDATOR_WEIGHT_FACTOR = 5n

/** Returns the limits of the primary network, or of a transformed subnet. Throws `rules.unknown_transformation` for any other subnet. */
export function stakingRulesFor(view: View, rules: Rules, subnetID: ID): StakingRules {
  if (subnetID === PRIMARY_NETWORK_ID) {
    return { ...rules.params.staking, assetID: rules.avaxAssetID, maxValidatorWeightFactor: MAX_VALIDATOR_WEIGHT_FACTOR }
  }
  const own = view.get(tables.transformations, subnetID)
  if (!own) throw rulesError("rules.unknown_transformation", { subnetID: idText(subnetID) })
  return {
    assetID: own.assetID,
    asset: idText(own.assetID),
    minValidatorStake: own.minValidatorStake,
    maxValidatorStake: own.maxValidatorStake,
    minDelegatorStake: own.minDelegatorStake,
    minStakeDuration: BigInt(own.minStakeDuration),
    maxStakeDuration: BigInt(own.maxStakeDuration),
    minDelegationFee: own.minDelegationFee,
    maxValidatorWeightFactor: BigInt(own.maxValidatorWeightFactor),
  }
}

/** Returns the limits for validators: from Helicon on those of the primary network have a shorter minimum duration (ACP-273). */
export function validatorRulesFor(view: View, rules: Rules, subnetID: ID): StakingRules {
  const limits = stakingRulesFor(view, rules, subnetID)
  if (subnetID !== PRIMARY_NETWORK_ID || !isActive(rules.upgrades, "helicon", chainTimeOf(view))) return limits
  return { ...limits, minStakeDuration: ceilSeconds(rules.params.staking.heliconMinStakeNanoseconds) }
}

/**
 * Returns the reward parameters of a network for a stake that starts at this time (Unix seconds). A transformed subnet has its own rates
 * and cap, but not its own minting period.
 */
export function rewardConfigFor(view: View, { params, upgrades }: Rules, subnetID: ID, start: bigint): RewardConfig {
  if (subnetID === PRIMARY_NETWORK_ID) {
    const helicon = exactTimeOf(upgrades, "helicon")
    return { ...params.reward, minConsumptionRate: minConsumptionRateAt(params.reward, start, helicon) }
  }
  const own = view.get(tables.transformations, subnetID)
  if (!own) throw rulesError("rules.unknown_transformation", { subnetID: idText(subnetID) })
  return {
    maxConsumptionRate: own.maxConsumptionRate,
    minConsumptionRate: own.minConsumptionRate,
    mintingPeriodNanoseconds: params.reward.mintingPeriodNanoseconds,
    supplyCap: own.maximumSupply,
  }
}

/** Returns the supply of a network's staking asset. */
export function supplyOf(view: View, subnetID: ID): bigint {
  const supply = view.get(tables.supplies, subnetID)
  if (supply === undefined) throw rulesError("rules.unknown_subnet", { subnetID: idText(subnetID) })
  return supply
}

/** Returns the staking period of a transaction. From Durango it begins now, whatever the transaction contains. */
export function periodOf(
  context: TxContext,
  { start, end }: { start: bigint; end: bigint },
): { start: bigint; end: bigint; duration: bigint } {
  const begin = isActiveNow(context, "durango") ? context.chainTime : goTime(start)
  return { start: begin, end: goTime(end), duration: goTime(end) - begin }
}

/** Checks that a staking period before Durango is in the future. */
export function checkStartTime(context: TxContext, start: bigint): void {
  if (isActiveNow(context, "durango") || context.chainTime < start) return
  throw rulesError("rules.starts_too_early", { chainTime: context.chainTime, start })
}

export function checkDuration(duration: bigint, limits: Pick<StakingRules, "minStakeDuration" | "maxStakeDuration">): void {
  if (duration < limits.minStakeDuration)
    throw rulesError("rules.stake_too_short", { duration, minimum: limits.minStakeDuration })
  if (duration > limits.maxStakeDuration) throw rulesError("rules.stake_too_long", { duration, maximum: limits.maxStakeDuration })
}

/** Checks the cycle of an auto-renewed validator (seconds) against limits that AvalancheGo rounds down to whole seconds here. */
export function checkPeriod(period: bigint, { params: { staking } }: Rules): void {
  checkDuration(period, {
    minStakeDuration: floorSeconds(staking.heliconMinStakeNanoseconds),
    maxStakeDuration: staking.maxStakeDuration,
  })
}

/** Checks a new validator's stake (in the asset's smallest unit) and delegation fee (millionths). */
export function checkValidatorLimits(
  weight: bigint,
  shares: number,
  limits: Pick<StakingRules, "asset" | "minValidatorStake" | "maxValidatorStake" | "minDelegationFee">,
): void {
  const { asset, minValidatorStake: minimum, maxValidatorStake: maximum } = limits
  if (weight < minimum) throw rulesError("rules.weight_too_small", { weight, minimum, asset })
  if (weight > maximum) throw rulesError("rules.weight_too_large", { weight, maximum, asset })
  if (shares < limits.minDelegationFee) throw rulesError("rules.delegation_fee_too_small", { shares })
}

export function checkStakeAsset(expected: ID, got: ID): void {
  if (expected !== got) throw rulesError("rules.wrong_stake_asset", { expected: idText(expected), got: idText(got) })
}

/** Checks that a period is inside another. The ends may coincide. */
export function checkInside(inner: { start: bigint; end: bigint }, outer: Staker): void {
  const { startTime, endTime } = outer
  if (inner.start >= startTime && inner.end <= endTime && inner.end >= inner.start) return
  throw rulesError("rules.period_mismatch", { ...inner, startTime, endTime })
}

/** Checks that the validator of a subnet validates the primary network for the whole period. */
export function checkValidatesPrimaryNetwork(context: TxContext, nodeID: NodeID, period: { start: bigint; end: bigint }): void {
  const primary = validatorOf(context.diff, { subnetID: PRIMARY_NETWORK_ID, nodeID })
  if (!primary) {
    const reference = `${nodeIDText(nodeID)} isn't a current or pending validator of the primary network`
    throw rulesError("rules.not_validator", { nodeID: nodeIDText(nodeID), reference })
  }
  checkInside(period, primary)
}

export function checkIsNoValidator(view: View, key: ValidatorKey, reference: (nodeID: string, subnetID: string) => string): void {
  if (!validatorOf(view, key)) return
  const [nodeID, subnetID] = [nodeIDText(key.nodeID), idText(key.subnetID)]
  throw rulesError("rules.already_validator", { nodeID, subnetID, reference: reference(nodeID, subnetID) })
}

/** Creates a staker: pending before Durango, current from then on, with its reward computed now. */
export function recordStaker(context: TxContext, staker: StakerInfo): void {
  const { txID, diff, blockContext, chainTime, mayReturn } = context
  const { nodeID, subnetID, publicKey, weight } = staker
  const who = { txID, nodeID, subnetID, publicKey, weight }
  if (!isActiveNow(context, "durango")) {
    const times = { startTime: staker.start, endTime: staker.end, nextTime: staker.start }
    addPendingStaker(diff, { ...who, ...times, potentialReward: 0n, priority: staker.pendingPriority }, { mayReturn })
    return
  }
  const period = { start: chainTime, duration: staker.end - chainTime }
  const potentialReward = staker.rewardsOwner
    ? promiseReward(diff, blockContext, subnetID, { ...period, weight }, addWrapping64)
    : 0n
  const times = { startTime: chainTime, endTime: staker.end, nextTime: staker.end }
  addCurrentStaker(
    diff,
    { ...who, ...times, potentialReward, priority: staker.currentPriority },
    { mayReturn, bls: blockContext.crypto.bls },
  )
}

/** A stake that is to be rewarded: its start (Unix seconds), its duration (seconds), and its weight. */
export interface RewardedStake {
  readonly start: bigint
  readonly duration: bigint
  readonly weight: bigint
}

/**
 * Computes the reward of a stake (nAVAX) and adds it to the supply of the subnet's staking asset. The sum can pass 64 bits only where the cap is
 * below the supply; AvalancheGo checks it in genesis and for auto-renewed validators, and lets it wrap around for all others.
 */
export function promiseReward(diff: Diff, rules: Rules, subnetID: ID, stake: RewardedStake, add = add64): bigint {
  const supply = supplyOf(diff, subnetID)
  const config = rewardConfigFor(diff, rules, subnetID, stake.start)
  const reward = rewardOf(config, stake.duration, stake.weight, supply)
  diff.put(tables.supplies, subnetID, add(supply, reward))
  return reward
}

/** The share of time online that the primary network requires of validators that start at Helicon or later (ACP-267). */
const HELICON_UPTIME_REQUIREMENT = 0.9

/** Returns the share of time online that the primary network requires of a validator for a reward, 0 to 1. Times are Unix seconds. */
export function primaryUptimeRequirement({ staking }: Pick<Rules["params"], "staking">, helicon: bigint, start: bigint): number {
  return start >= helicon ? HELICON_UPTIME_REQUIREMENT : staking.uptimeRequirement
}

/** Returns the share of time online that a reward requires, 0 to 1, by the start of the node's primary network validator (Unix seconds). */
export function uptimeRequirementFor(view: View, rules: Rules, subnetID: ID, start: bigint): number | undefined {
  if (subnetID === PRIMARY_NETWORK_ID) return primaryUptimeRequirement(rules.params, rules.upgrades.times.helicon, start)
  const own = view.get(tables.transformations, subnetID)
  return own && own.uptimeRequirement / Number(PERCENT_DENOMINATOR)
}
