import type { JsonSchema } from "../../core/codec/schema.js"
import type { Json } from "../../core/lib/json.js"
import { MAX64 } from "../../core/lib/math64.js"
import { badParam, type Param } from "./param.js"

/** Digits, as a number or a text of any length; nothing else: no sign, fraction, exponent or space. */
function digitsOf(json: unknown, maximum: bigint): bigint | undefined {
  const value = typeof json === "bigint" ? json : typeof json === "string" && /^\d{1,1000}$/.test(json) ? BigInt(json) : undefined
  return value !== undefined && value >= 0n && value <= maximum ? value : undefined
}

const digitsSchema = (maximum: bigint): JsonSchema => ({
  oneOf: [
    { type: "string", pattern: "^[0-9]+$" },
    { type: "integer", minimum: 0, maximum },
  ],
})

function smallInteger(bits: number): Param<number, string | number> {
  const maximum = 2n ** BigInt(bits) - 1n
  return {
    jsonSchema: digitsSchema(maximum),
    zero: 0,
    toJson: (value) => value,
    fromJson(json, _as, path) {
      const value = digitsOf(json, maximum)
      if (value === undefined) throw badParam(path, `an integer from 0 to ${maximum}`)
      return Number(value)
    },
  }
}

export const u8 = smallInteger(8)
export const u16 = smallInteger(16)
export const u32 = smallInteger(32)

/** 64 bits, unsigned; a text where JSON numbers would be rounded on the way. */
export const u64: Param<bigint, string | number | bigint> = {
  jsonSchema: digitsSchema(MAX64),
  zero: 0n,
  toJson: (value) => value.toString(),
  fromJson(json, _as, path) {
    const value = digitsOf(json, MAX64)
    if (value === undefined) throw badParam(path, `an integer from 0 to ${MAX64}`)
    return value
  },
}

/** A height, or `proposed`. The largest u64 is refused: AvalancheGo means "proposed" by it inside. */
export const height: Param<bigint | "proposed", string | number | bigint> = {
  jsonSchema: { oneOf: [...(digitsSchema(MAX64 - 1n).oneOf as readonly Json[]), { const: "proposed" }] },
  zero: 0n,
  toJson: (value) => value.toString(),
  fromJson(json, _as, path) {
    const value = json === "proposed" ? json : digitsOf(json, MAX64 - 1n)
    if (value === undefined) throw badParam(path, `a height from 0 to ${MAX64 - 1n}, or "proposed"`)
    return value
  },
}

/** Any finite number, fractions too. */
export const number: Param<number, number | bigint> = {
  jsonSchema: { type: "number" },
  zero: 0,
  toJson: (value) => value,
  fromJson(json, _as, path) {
    if ((typeof json !== "number" && typeof json !== "bigint") || !Number.isFinite(Number(json))) throw badParam(path, "a number")
    return Number(json)
  },
}
