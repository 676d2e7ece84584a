import { add64, clamp64, MAX64, max, min, mul64 } from "../lib/math64.js"
import type { Dimensions, GasConfig } from "../networks/params.js"
import { rulesError } from "./errors.js"

/** The gas that blocks may still use, and the excess over the target (ACP-103). */
export interface GasState {
  readonly capacity: bigint
  readonly excess: bigint
}

/** Adds dimensions one by one. Throws `math.overflow`. */
export function addDimensions(first: Dimensions, ...rest: readonly Dimensions[]): Dimensions {
  return rest.reduce((sum, next) => combine(sum, next, add64), first)
}

function combine(a: Dimensions, b: Dimensions, operation: (a: bigint, b: bigint) => bigint): Dimensions {
  return {
    bandwidth: operation(a.bandwidth, b.bandwidth),
    dbRead: operation(a.dbRead, b.dbRead),
    dbWrite: operation(a.dbWrite, b.dbWrite),
    compute: operation(a.compute, b.compute),
  }
}

/** Converts a complexity to gas with these weights. Throws `math.overflow`. */
export function toGas(units: Dimensions, weights: Dimensions): bigint {
  const { bandwidth, dbRead, dbWrite, compute } = combine(units, weights, mul64)
  return add64(add64(add64(bandwidth, dbRead), dbWrite), compute)
}

/**
 * Returns the price at an excess, of gas or of L1 validators: about minPrice × e^(excess / K), as the integer series of EIP-4844, at most
 * 2^64 − 1. It never decreases as the excess grows, because each term is a floor of growing products.
 */
export function priceOf(config: Pick<GasConfig, "minPrice" | "excessConversionConstant">, excess: bigint): bigint {
  const { minPrice, excessConversionConstant: k } = config
  // In AvalancheGo a division by zero is zero.
  if (k === 0n) return 0n
  // Up to this excess the series adds less than one: at x = excess / K ≤ 1/2 it is below minPrice × 1.3 x.
  if (2n * minPrice * excess < k) return minPrice
  const limit = k * MAX64
  let term = minPrice * k
  let sum = 0n
  for (let divisor = k; term > 0n; divisor += k) {
    sum += term
    if (sum >= limit) return MAX64
    // One division by k × i gives the same result as two in a row.
    term = (term * excess) / divisor
  }
  return sum / k
}

/** Returns initial + perSecond × seconds, at most 2^64 − 1. */
export function addOverTime(initial: bigint, perSecond: bigint, seconds: bigint): bigint {
  return clamp64(initial + perSecond * seconds)
}

/** Returns initial − perSecond × seconds, at least 0. */
export function subOverTime(initial: bigint, perSecond: bigint, seconds: bigint): bigint {
  return max(0n, initial - perSecond * seconds)
}

/** Returns the state after seconds without a block: capacity grows, excess decreases. */
export function advanceGas(
  state: GasState,
  config: Pick<GasConfig, "maxCapacity" | "maxPerSecond" | "targetPerSecond">,
  seconds: bigint,
): GasState {
  return {
    capacity: min(addOverTime(state.capacity, config.maxPerSecond, seconds), config.maxCapacity),
    excess: subOverTime(state.excess, config.targetPerSecond, seconds),
  }
}

/** Returns the state after a block used this gas. Throws `rules.insufficient_capacity`. */
export function consumeGas(state: GasState, gas: bigint): GasState {
  if (gas > state.capacity) throw rulesError("rules.insufficient_capacity", { capacity: state.capacity, gas })
  return { capacity: state.capacity - gas, excess: clamp64(state.excess + gas) }
}
