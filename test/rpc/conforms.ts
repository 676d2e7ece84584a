import type { JsonSchema } from "../../src/core/codec/schema.js"
import { type Json, printJson } from "../../src/core/lib/json.js"

/** Returns the differences between a value and a JSON Schema, for the features that our schemas use; empty if the value conforms. */
export function misfits(value: Json | undefined, schema: JsonSchema, path = "$"): string[] {
  if (value === undefined) return [`${path} is missing`]
  const { anyOf, oneOf, enum: names, const: constant } = schema
  const choices = (anyOf ?? oneOf) as readonly JsonSchema[] | undefined
  if (choices) {
    const tried = choices.map((choice) => misfits(value, choice, path))
    return tried.some((each) => each.length === 0)
      ? []
      : [`${path} fits none of its kinds: ${tried.map((each) => each[0]).join("; ")}`]
  }
  if (constant !== undefined && value !== constant) return [`${path} is not ${printJson(constant)}`]
  if (Array.isArray(names) && !names.includes(value)) return [`${path} is none of ${names.join(", ")}`]
  return schema.type === undefined ? [] : typeMisfits(value, schema, path)
}

function typeMisfits(value: Json, schema: JsonSchema, path: string): string[] {
  const { type, pattern, items } = schema
  const kind = kindOf(value)
  if (kind !== type && !(kind === "integer" && type === "number")) return [`${path} is ${kind}, not ${type}`]
  if (typeof pattern === "string" && !new RegExp(pattern).test(value as string)) return [`${path} does not match ${pattern}`]
  if (type === "array")
    return (value as readonly Json[]).flatMap((each, i) => misfits(each, (items ?? {}) as JsonSchema, `${path}[${i}]`))
  return type === "object" ? memberMisfits(value as Record<string, Json>, schema, path) : []
}

function memberMisfits(value: Record<string, Json>, schema: JsonSchema, path: string): string[] {
  const { properties = {}, required = [], additionalProperties } = schema as Record<string, Json>
  const known = properties as Record<string, JsonSchema>
  const missing = (required as readonly string[])
    .filter((name) => value[name] === undefined)
    .map((name) => `${path}.${name} is missing`)
  const members = Object.entries(value).flatMap(([name, each]) => {
    const own = known[name] ?? (typeof additionalProperties === "object" ? (additionalProperties as JsonSchema) : undefined)
    if (own) return misfits(each, own, `${path}.${name}`)
    return [`${path}.${name} is not described`]
  })
  return [...missing, ...members]
}

function kindOf(value: Json): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  if (typeof value === "bigint" || Number.isInteger(value)) return "integer"
  return typeof value
}
