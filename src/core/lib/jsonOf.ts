import { toHex } from "./bytes.js"
import type { Json } from "./json.js"

/** Converts any value to JSON. Bytes become hex with `0x`, and values that JSON cannot express become null. */
export function jsonOf(value: unknown): Json {
  if (value instanceof Uint8Array) return `0x${toHex(value)}`
  if (Array.isArray(value)) return value.map(jsonOf)
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, jsonOf(each)]))
  }
  return value === undefined || typeof value === "function" || typeof value === "symbol" ? null : (value as Json)
}
