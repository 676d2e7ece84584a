import { inlined, type JsonSchema, type JsonWriter, jsonMember } from "../../core/codec/schema.js"
import { toJson } from "../../core/codec/valueSink.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { printRfc3339Nano } from "../../core/lib/go/rfc3339Nano.js"
import type { Json } from "../../core/lib/json.js"
import type { ParseContext } from "./param.js"

/** A value that is written as text without escapes. */
export function textOutput<T>(jsonSchema: JsonWriter<T>["jsonSchema"], toText: (value: T) => string): JsonWriter<T, string> {
  return { jsonSchema, writeJson: (sink, value) => sink.plain(toText(value)) }
}

/** Any JSON, unchanged. */
export const json: JsonWriter<Json, Json> = { jsonSchema: {}, writeJson: (sink, value) => sink.json(value) }

/** A time in Unix seconds, written in RFC 3339, UTC. */
export const time: JsonWriter<bigint, string> = textOutput({ type: "string", format: "date-time" }, printRfc3339)

/** A time in Unix nanoseconds, written in RFC 3339, UTC, with its fraction of a second. */
export const exactTime: JsonWriter<bigint, string> = textOutput({ type: "string", format: "date-time" }, printRfc3339Nano)

/** A percentage, written with four decimals. */
export const percent: JsonWriter<number, string> = textOutput({ type: "string", pattern: "^[0-9]+\\.[0-9]{4}$" }, (value) =>
  value.toFixed(4),
)

/** A value that is converted to another value, which has a schema. */
export function converted<T, U, J>(schema: JsonWriter<U, J>, convert: (value: T) => U): JsonWriter<T, J> {
  return { jsonSchema: schema.jsonSchema, writeJson: (sink, value, as) => schema.writeJson(sink, convert(value), as) }
}

/** A value that the two dialects write differently. The docs and the type of the JSON show the form of the contract alone. */
export function byDialect<T, J>(contract: JsonWriter<T, J>, avalanchego: JsonWriter<T, unknown>): JsonWriter<T, J> {
  return {
    jsonSchema: contract.jsonSchema,
    writeJson: (sink, value, as: ParseContext) =>
      (as.dialect === "avalanchego" ? avalanchego : contract).writeJson(sink, value, as),
  }
}

/** A value of one of two schemas, which `isFirst` selects. */
export function choice<A, JA, B, JB>(
  isFirst: (value: A | B) => value is A,
  first: JsonWriter<A, JA>,
  second: JsonWriter<B, JB>,
): JsonWriter<A | B, JA | JB> {
  return {
    jsonSchema: { anyOf: [first.jsonSchema, second.jsonSchema] },
    writeJson: (sink, value, as) => (isFirst(value) ? first.writeJson(sink, value, as) : second.writeJson(sink, value, as)),
  }
}

/** A list that is read while it is printed, so that its items are not in memory together. */
export function rows<T, J>(item: JsonWriter<T, J>): JsonWriter<Iterable<T>, readonly J[]> {
  return {
    jsonSchema: { type: "array", items: item.jsonSchema },
    writeJson: (sink, values, as) => sink.list(item, values, as),
  }
}

/** An object of two parts, with the members of both. The text of a first part is remembered as long as the part itself. */
export function joined<A extends object, JA, B, JB>(
  first: JsonWriter<A, JA>,
  second: JsonWriter<B, JB>,
): JsonWriter<{ readonly first: A; readonly second: B }, JA & JB> {
  type Both = { readonly first: A; readonly second: B }
  const members = [inlined(first, (value: Both) => value.first, new WeakMap()), inlined(second, (value: Both) => value.second)]
  return {
    jsonSchema: joinedSchema(first.jsonSchema, second.jsonSchema),
    writeJson: (sink, value, as) => sink.object(members, value, as),
  }
}

function joinedSchema(a: JsonSchema, b: JsonSchema): JsonSchema {
  const of = ({ properties, required }: JsonSchema) => ({
    properties: properties as { readonly [name: string]: JsonSchema },
    required: required as readonly string[],
  })
  const [one, other] = [of(a), of(b)]
  return {
    type: "object",
    properties: { ...one.properties, ...other.properties },
    required: [...one.required, ...other.required],
  }
}

/** A value, or null. */
export function nullable<T, J>(item: JsonWriter<T, J>): JsonWriter<T | null, J | null> {
  return {
    jsonSchema: { anyOf: [item.jsonSchema, { type: "null" }] },
    writeJson: (sink, value, as) => (value === null ? sink.json(null) : item.writeJson(sink, value, as)),
  }
}

/** An object whose member names are the keys of a map, in the order of the map. `keys` describes the names. */
export function map<K, T, J>(
  key: JsonWriter<K, string>,
  value: JsonWriter<T, J>,
  keys: string,
): JsonWriter<ReadonlyMap<K, T>, Readonly<Record<string, J>>> {
  return {
    jsonSchema: { type: "object", additionalProperties: value.jsonSchema, description: `by ${keys}` },
    writeJson(sink, entries, as) {
      const members = [...entries].map(([name, each]) => jsonMember(toJson(key, name, as), value, () => each))
      sink.object(members, entries, as)
    },
  }
}

/** The name of a member, which is any text. */
const name: JsonWriter<string, string> = { jsonSchema: {}, writeJson: (sink, value) => sink.json(value) }

/** An object of any members with the same schema. `keys` describes the names. */
export function record<T, J>(
  value: JsonWriter<T, J>,
  keys: string,
): JsonWriter<Readonly<Record<string, T>>, Readonly<Record<string, J>>> {
  const byName = map(name, value, keys)
  return converted(byName, (members) => new Map(Object.entries(members)))
}
