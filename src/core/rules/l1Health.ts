import { max } from "../lib/math64.js"
import { compare } from "../lib/mergeSorted.js"
import type { L1FeeConfig } from "../networks/params.js"
import type { ID, NodeID } from "../types/id.js"
import { priceOf } from "./gas.js"
import { feesOf, forecastPrices, type PriceForecast, secondsPaid } from "./l1Fee.js"
import { planTopUps, type TopUpCandidate, type TopUpPlan } from "./l1TopUps.js"
import { WARP_QUORUM } from "./warp.js"

/** The state that the fees of L1 validators depend on. */
export interface L1FeeState {
  readonly config: L1FeeConfig
  /** The number of active L1 validators of all subnets. */
  readonly active: bigint
  readonly excess: bigint
  readonly accruedFees: bigint
  /** The time of the last accepted block, Unix seconds. */
  readonly time: bigint
}

/** The state of the fees, and the prices that follow from it if the number of active validators stays. */
export type L1Forecast = L1FeeState & PriceForecast

/** The length of a forecast in seconds: ten years. */
const FORECAST_SECONDS = 315_360_000n

export function forecastOf(state: L1FeeState): L1Forecast {
  return { ...state, ...forecastPrices(state.config, state.active, state.excess, FORECAST_SECONDS) }
}

/** The parameters of Snowman by which a chain decides: `alphaConfidence` of `k` sampled validators must agree. */
export interface SnowmanShare {
  readonly k: number
  readonly alphaConfidence: number
}

/** The parameters of AvalancheGo, unless the configuration of a subnet says otherwise. */
export const DEFAULT_SNOWMAN: SnowmanShare = { k: 20, alphaConfidence: 15 }

export interface L1Member {
  readonly nodeID: NodeID
  readonly weight: bigint
  /** The ID of its validation; `undefined` for a permissioned validator from before the conversion, which pays no fee. */
  readonly validationID: ID | undefined
  /** The total of fees at which its balance is used up; 0 if it is inactive. */
  readonly endAccumulatedFee: bigint
  /** The time at which a permissioned validator leaves, Unix seconds. */
  readonly endTime?: bigint
}

/** How long a validator pays. Times in Unix seconds. */
export interface ValidatorHealth {
  readonly validator: L1Member
  /** nAVAX; 0 if it is inactive. */
  readonly balance: bigint
  readonly isActive: boolean
  /** The second in which its balance ends if the price stays; `undefined` if it is inactive or the price is 0. */
  readonly endsAtPresentFee: bigint | undefined
  /** The second in which its balance ends if the number of active validators stays; `undefined` if it is inactive or pays beyond the forecast. */
  readonly endsAt: bigint | undefined
}

/** A share of the total weight that must be active, and whether and until when it is. */
export interface Threshold {
  readonly needed: bigint
  readonly isMet: boolean
  /** The second in which the active weight falls below it, Unix seconds; `undefined` if it does not within the forecast, or is below it now. */
  readonly lostAt: bigint | undefined
}

export interface TopUp extends TopUpCandidate {
  readonly validator: L1Member
}

export interface L1Health {
  /** nAVAX for each second of one active validator. */
  readonly price: bigint
  /** The time until which the forecast holds, Unix seconds. */
  readonly forecastUntil: bigint
  readonly totalWeight: bigint
  readonly activeWeight: bigint
  readonly validators: readonly ValidatorHealth[]
  /** What is needed to sign Warp messages. */
  readonly warp: Threshold
  /** What is needed to decide blocks. */
  readonly snowman: Threshold
}

/**
 * Returns how long the validators of an L1 pay, and when too little weight is left, if nobody acts and the number of active validators of the
 * whole network stays. Validators are in the order in which they leave, inactive ones first.
 */
export function healthOf(members: readonly L1Member[], forecast: L1Forecast, snowman: SnowmanShare): L1Health {
  const { config, excess, accruedFees, time, horizon } = forecast
  const price = priceOf(config, excess)
  const paying = members.filter(({ endAccumulatedFee }) => endAccumulatedFee > 0n).sort(byEnd)
  const balances = paying.map(({ endAccumulatedFee }) => endAccumulatedFee - accruedFees)
  const seconds = secondsPaid(forecast.prices, balances)
  const paid = paying.map((validator, i): ValidatorHealth => {
    const [balance, lasts] = [balances[i] as bigint, seconds[i]]
    const endsAtPresentFee = price > 0n ? time + balance / price : undefined
    return { validator, balance, isActive: true, endsAtPresentFee, endsAt: lasts === undefined ? undefined : time + lasts }
  })
  const others = members.filter(({ endAccumulatedFee }) => endAccumulatedFee === 0n)
  const unpaid = others.map((validator): ValidatorHealth => {
    const { endTime } = validator
    return { validator, balance: 0n, isActive: endTime !== undefined, endsAtPresentFee: endTime, endsAt: endTime }
  })
  const validators = [...unpaid, ...paid].sort(inLeavingOrder)
  const weightOf = (some: readonly ValidatorHealth[]) => some.reduce((sum, { validator }) => sum + validator.weight, 0n)
  const [totalWeight, activeWeight] = [weightOf(validators), weightOf(validators.filter(({ isActive }) => isActive))]
  const thresholdOf = (numerator: bigint, denominator: bigint): Threshold => {
    const needed = (totalWeight * numerator + denominator - 1n) / denominator
    const isMet = activeWeight >= needed
    return { needed, isMet, lostAt: isMet ? lostAt(validators, activeWeight, needed) : undefined }
  }
  return {
    price,
    forecastUntil: time + horizon,
    totalWeight,
    activeWeight,
    validators,
    warp: thresholdOf(WARP_QUORUM.numerator, WARP_QUORUM.denominator),
    snowman: thresholdOf(BigInt(snowman.alphaConfidence), BigInt(snowman.k)),
  }
}

const byEnd = (a: L1Member, b: L1Member): number => (a.endAccumulatedFee < b.endAccumulatedFee ? -1 : 1)

/** Inactive validators have left, and those without an end stay. */
function inLeavingOrder(a: ValidatorHealth, b: ValidatorHealth): number {
  const leaving = ({ isActive, endsAt }: ValidatorHealth) => (isActive ? (endsAt ?? Number.POSITIVE_INFINITY) : 0)
  return compare(leaving(a), leaving(b))
}

/** Returns the second in which the active weight falls below a threshold. */
function lostAt(validators: readonly ValidatorHealth[], activeWeight: bigint, needed: bigint): bigint | undefined {
  let left = activeWeight
  for (const { validator, endsAt } of validators) {
    if (endsAt === undefined) continue
    left -= validator.weight
    if (left < needed) return endsAt
  }
  return undefined
}

/**
 * Returns the top-ups that keep both thresholds until a time within the forecast, with the fees that follow from the present number of active validators. An
 * inactive validator can be topped up if the network has room for one more. Returns `undefined` if all validators together are too few.
 */
export function planUntil(
  { validators, warp, snowman }: L1Health,
  { config, active, time, prices }: L1Forecast,
  until: bigint,
): TopUpPlan<TopUp> | undefined {
  const cost = feesOf(prices, until - time)
  const candidates = validators.flatMap(({ validator, balance, isActive }): TopUp[] => {
    const { weight, endTime, validationID } = validator
    if (validationID === undefined) return endTime !== undefined && endTime >= until ? [{ validator, weight, amount: 0n }] : []
    if (!isActive && active >= config.capacity) return []
    // An inactive validator needs a balance, even if nothing is charged.
    const amount = isActive ? max(0n, cost - balance) : max(1n, cost)
    return [{ validator, weight, amount }]
  })
  return planTopUps(candidates, max(warp.needed, snowman.needed))
}
