import { refusals } from "./invalid.js"

/** The largest unsigned 64-bit number. */
export const MAX64 = 0xffff_ffff_ffff_ffffn

export const mathError = refusals({
  "math.overflow": { sentence: "a sum or product does not fit in 64 bits", avalanchegoMessage: "overflow" },
  "math.underflow": { sentence: "a difference is below zero", avalanchegoMessage: "underflow" },
})

/** a + b; throws `math.overflow`, with the name of the sum if it has one. */
export function add64(a: bigint, b: bigint, name?: string): bigint {
  const sum = a + b
  if (sum > MAX64) throw mathError("math.overflow", { ...(name === undefined ? {} : { of: name }), a, b })
  return sum
}

/** a + b as Go adds 64-bit numbers without a check: beyond 2^64 it wraps around. */
export const addWrapping64 = (a: bigint, b: bigint): bigint => BigInt.asUintN(64, a + b)

/** a − b; throws `math.underflow`. */
export function sub64(a: bigint, b: bigint): bigint {
  if (b > a) throw mathError("math.underflow", { a, b })
  return a - b
}

/** a × b; throws `math.overflow`. */
export function mul64(a: bigint, b: bigint): bigint {
  const product = a * b
  if (product > MAX64) throw mathError("math.overflow", { a, b })
  return product
}

/** Returns the value, limited to the largest 64-bit number. */
export function clamp64(value: bigint): bigint {
  return value > MAX64 ? MAX64 : value
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
