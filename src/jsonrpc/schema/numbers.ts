import { u64Text } from "../../core/codec/primitives.js"
import type { JsonSchema, JsonWriter } from "../../core/codec/schema.js"
import { MAX64 } from "../../core/lib/math64.js"
import { SMALL_TEXT } from "../answer.js"
import { badParam, type Param } from "./param.js"

/**
 * Reads digits, as a number or as text of any length, without sign, fraction, exponent or space; `undefined` if the value is not such an
 * integer.
 */
export function digitsOf(json: unknown, maximum: bigint): bigint | undefined {
  const value = typeof json === "bigint" ? json : typeof json === "string" && /^\d{1,1000}$/.test(json) ? BigInt(json) : undefined
  return value !== undefined && value >= 0n && value <= maximum ? value : undefined
}

/** Describes the input of `digitsOf`. */
export const digitsSchema = (maximum: bigint): JsonSchema => ({
  oneOf: [
    { type: "string", pattern: "^[0-9]+$" },
    { type: "integer", minimum: 0, maximum },
  ],
})

function smallInteger(bits: number): Param<number, string | number, number> {
  const maximum = 2n ** BigInt(bits) - 1n
  return {
    jsonSchema: { type: "integer" },
    inputSchema: digitsSchema(maximum),
    zero: 0,
    writeJson: (sink, value) => sink.json(value),
    fromJson(json, _as, path) {
      const value = digitsOf(json, maximum)
      if (value === undefined) throw badParam(path, `an integer from 0 to ${maximum}`)
      return Number(value)
    },
  }
}

export const u16 = smallInteger(16)
export const u32 = smallInteger(32)

/** An unsigned 64-bit integer. It is written as text, because JSON numbers would be rounded, and read from text or number. */
export const u64: Param<bigint, string | number | bigint, `${bigint}`> = {
  ...u64Text,
  inputSchema: digitsSchema(MAX64),
  zero: 0n,
  fromJson(json, _as, path) {
    const value = digitsOf(json, MAX64)
    if (value === undefined) throw badParam(path, `an integer from 0 to ${MAX64}`)
    return value
  },
}

/** A sum of unsigned 64-bit integers, which may need more bits itself. It is written as text. */
export const sum64: JsonWriter<bigint, `${bigint}`> = u64Text

/** A small integer, written as a text. */
export const u32Text: JsonWriter<number, `${number}`> = {
  jsonSchema: { type: "string", pattern: SMALL_TEXT },
  writeJson: (sink, value) => sink.plain(`${value}`),
}

/** A signed 64-bit integer, written as text. */
export const i64Text: JsonWriter<bigint, `${bigint}`> = {
  jsonSchema: { type: "string", pattern: "^-?[0-9]+$" },
  writeJson: (sink, value) => sink.plain(`${value}`),
}

/** An integer of up to 64 bits, written as a bare JSON integer even above 2^53. */
export const integer: JsonWriter<number | bigint, bigint> = {
  jsonSchema: { type: "integer", format: "uint64" },
  writeJson: (sink, value) => sink.json(BigInt(value)),
}

/** Any finite number, including fractions. */
export const number: Param<number, number | bigint, number> = {
  jsonSchema: { type: "number" },
  zero: 0,
  writeJson: (sink, value) => sink.json(value),
  fromJson(json, _as, path) {
    if ((typeof json !== "number" && typeof json !== "bigint") || !Number.isFinite(Number(json))) throw badParam(path, "a number")
    return Number(json)
  },
}
