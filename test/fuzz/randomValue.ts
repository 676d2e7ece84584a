import type { JsonSchema } from "../../src/core/codec/schema.js"
import { toHex } from "../../src/core/lib/bytes.js"
import type { Json } from "../../src/core/lib/json.js"
import { type Address, addressText, shortIDText } from "../../src/core/types/address.js"
import { type ID, idText, type NodeID, nodeIDText } from "../../src/core/types/id.js"
import type { Random } from "./random.js"

/** The HRP of generated addresses. */
export const HRP = "local"

/** A random JSON value that a schema allows. */
export function randomValue(schema: JsonSchema, random: Random): Json {
  if (schema.const !== undefined) return schema.const
  if (schema.oneOf !== undefined) return randomValue(random.pick(schema.oneOf as readonly JsonSchema[]), random)
  switch (schema.type) {
    case "object":
      return objectOf(schema.properties as Readonly<Record<string, JsonSchema>>, random)
    case "array":
      return arrayOf(schema, random)
    case "integer":
      return integerOf(schema, random)
    case "boolean":
      return random.below(2) === 1
    case "string":
      return stringOf(schema, random)
    default:
      throw new Error(`no value for the schema ${String(schema.type)}`)
  }
}

function objectOf(properties: Readonly<Record<string, JsonSchema>>, random: Random): Json {
  // Computed members, such as the ID of a block, are not drawn.
  const given = Object.entries(properties).filter(([, schema]) => schema.readOnly !== true)
  return Object.fromEntries(given.map(([name, schema]) => [name, randomValue(schema, random)]))
}

function arrayOf(schema: JsonSchema, random: Random): Json {
  const length = (schema.minItems as number | undefined) ?? random.below(4)
  return Array.from({ length }, () => randomValue(schema.items as JsonSchema, random))
}

/** Integers as `parseJson` gives them: numbers while they are exact, bigints beyond. */
function integerOf({ minimum, maximum }: JsonSchema, random: Random): Json {
  const [low, high] = [BigInt(minimum as number), BigInt(maximum as number)]
  const value = low + (random.u64() % (high - low + 1n))
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** Recognises strings by their pattern or their description. */
const strings: Readonly<Record<string, (random: Random) => string>> = {
  "an ID in cb58": (random) => idText(toHex(random.bytes(32)) as ID),
  "a node ID, NodeID- and cb58": (random) => nodeIDText(toHex(random.bytes(20)) as NodeID),
  "an address, P- and bech32": (random) => addressText(toHex(random.bytes(20)) as Address, HRP),
  "an address as cb58, without network": (random) => shortIDText(toHex(random.bytes(20)) as Address),
}

function stringOf({ description, pattern, contentEncoding }: JsonSchema, random: Random): string {
  if (description !== undefined) return strings[description as string]!(random)
  if (contentEncoding === "base64") return Buffer.from(random.bytes(random.below(50))).toString("base64")
  if (pattern === undefined) return random.pick(["", "a chain", "naïve ⌘ & <b>", "x".repeat(300)])
  const [, digits] = /\{(\d+)\}\$$/.exec(pattern as string) ?? []
  return `0x${toHex(random.bytes(digits === undefined ? random.below(50) : Number(digits) / 2))}`
}
