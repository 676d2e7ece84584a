import { MAX64, max, min } from "../lib/math64.js"
import type { L1FeeConfig } from "../networks/params.js"
import { addOverTime, priceOf, subOverTime } from "./gas.js"

/** The numbers of an L1 fee that a price depends on. */
export type L1FeePrice = Omit<L1FeeConfig, "capacity">

/** Returns the excess after seconds with this many active L1 validators (ACP-77), from 0 to 2^64 − 1. */
export function advanceExcess(active: bigint, excess: bigint, target: bigint, seconds: bigint): bigint {
  return active < target ? subOverTime(excess, target - active, seconds) : addOverTime(excess, active - target, seconds)
}

/**
 * Returns the fee of one active validator for these seconds, in nAVAX, at most 2^64 − 1. Each second is priced after the excess has moved.
 */
export function l1FeesOver(config: L1FeePrice, active: bigint, excess: bigint, seconds: bigint): bigint {
  return feesOf(stretches(config, active, excess, seconds), seconds)
}

/** Returns the sum of the first seconds of prices, in nAVAX, at most 2^64 − 1. */
export function feesOf(prices: Iterable<Stretch>, seconds: bigint): bigint {
  let [cost, left] = [0n, seconds]
  for (const stretch of prices) {
    const charged = min(stretch.seconds, left)
    cost += charged * stretch.price
    left -= charged
    if (cost > MAX64) return MAX64
    if (left === 0n) break
  }
  return cost
}

/** Returns for how many whole seconds, at most `maxSeconds`, these funds (nAVAX) pay the fee of one validator. */
export function secondsRemaining(config: L1FeePrice, active: bigint, excess: bigint, maxSeconds: bigint, funds: bigint): bigint {
  return secondsPaid(stretches(config, active, excess, maxSeconds), [funds])[0] ?? maxSeconds
}

/** The prices to come if the number of active validators stays. */
export interface PriceForecast {
  readonly prices: readonly Stretch[]
  /** The seconds for which the forecast holds. */
  readonly horizon: bigint
}

/** Number of price changes that a forecast looks at. Each takes about 5 µs. */
const MAX_STRETCHES = 2048

/** Returns the prices of the next seconds, at most `maxSeconds`. */
export function forecastPrices(config: L1FeePrice, active: bigint, excess: bigint, maxSeconds: bigint): PriceForecast {
  const prices: Stretch[] = []
  let horizon = 0n
  for (const stretch of stretches(config, active, excess, maxSeconds)) {
    prices.push(stretch)
    horizon += stretch.seconds
    if (prices.length === MAX_STRETCHES) break
  }
  return { prices, horizon }
}

/**
 * Returns for how many whole seconds each of several funds (nAVAX, in ascending order) pays these prices; `undefined` if it lasts longer. It
 * visits the prices only once.
 */
export function secondsPaid(prices: Iterable<Stretch>, funds: readonly bigint[]): (bigint | undefined)[] {
  const seconds: bigint[] = []
  let [elapsed, spent] = [0n, 0n]
  for (const stretch of prices) {
    for (let next = funds[seconds.length]; next !== undefined; next = funds[seconds.length]) {
      const affordable = stretch.price === 0n ? stretch.seconds : (next - spent) / stretch.price
      if (affordable >= stretch.seconds) break
      seconds.push(elapsed + affordable)
    }
    if (seconds.length === funds.length) break
    elapsed += stretch.seconds
    spent += stretch.seconds * stretch.price
  }
  return funds.map((_, i) => seconds[i])
}

/** Consecutive seconds that cost the same, in nAVAX each. */
export interface Stretch {
  readonly seconds: bigint
  readonly price: bigint
}

/**
 * The seconds to come, in stretches of one price. Seconds are not visited one by one: while the count of validators stays,
 * the excess only rises or only falls, and the price with it, so two equal prices have only equals between them.
 */
function* stretches(config: L1FeePrice, active: bigint, excess: bigint, seconds: bigint): Generator<Stretch> {
  const { target, minPrice } = config
  if (active === target) {
    yield { seconds, price: priceOf(config, excess) }
    return
  }
  let last = { second: 0n, price: 0n }
  // Caches the last price, because the second that ends a stretch begins the next one: half of the calls if all prices differ.
  const priceAfter = (second: bigint) => {
    if (second !== last.second) last = { second, price: priceOf(config, advanceExcess(active, excess, target, second)) }
    return last.price
  }
  // Below the target the excess runs out, and from then on every second costs the minimum.
  const untilZero = active < target ? (excess > 0n ? (excess - 1n) / (target - active) : 0n) : seconds
  const priced = min(seconds, untilZero)
  for (let done = 0n, length = 0n; done < priced; done += length) {
    const price = priceAfter(done + 1n)
    const guess = estimatedEnd(config, active, excess, price) - done
    length = stretchFrom(done, priced, guess, (second) => priceAfter(second) === price)
    yield { seconds: length, price }
  }
  if (priced < seconds) yield { seconds: seconds - priced, price: minPrice }
}

/**
 * Estimates the last second with this price: the price is about minPrice × e^(excess / K), and the excess moves by the same number each second.
 * A wrong estimate makes the search longer, and changes no result.
 */
function estimatedEnd(
  { target, minPrice, excessConversionConstant }: L1FeePrice,
  active: bigint,
  excess: bigint,
  price: bigint,
): bigint {
  const nextPrice = Number(active > target ? price + 1n : price)
  const excessThere = Number(excessConversionConstant) * Math.log(nextPrice / Number(minPrice))
  const seconds = Math.floor((excessThere - Number(excess)) / Number(active - target))
  return Number.isSafeInteger(seconds) ? BigInt(seconds) : 0n
}

/**
 * Counts the seconds after `done`, up to `end`, that are the same as the next one. The search starts at a guess, moves away from it in steps
 * that double, and then halves the rest.
 */
function stretchFrom(done: bigint, end: bigint, guess: bigint, isSame: (second: bigint) => boolean): bigint {
  const most = end - done
  let [same, other] = [1n, most + 1n]
  let probe = min(max(guess, 2n), most)
  for (let step = 1n; other - same > 1n; step *= 2n) {
    const isHigher = isSame(done + probe)
    if (isHigher) same = probe
    else other = probe
    const next = isHigher ? same + step : other - step
    probe = next > same && next < other ? next : (same + other) / 2n
  }
  return same
}
