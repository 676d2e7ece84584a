import { printerOf, printInSteps } from "../../core/codec/print.js"
import type { JsonWriter } from "../../core/codec/schema.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { JsonText } from "../printedJson.js"
import type { ParseContext } from "./param.js"

/** A value that is written as text without escapes. */
export function textOutput<T>(jsonSchema: JsonWriter<T>["jsonSchema"], toText: (value: T) => string): JsonWriter<T, string> {
  return { jsonSchema, toJson: toText, print: (value) => `"${toText(value)}"` }
}

/** Any JSON, unchanged. */
export const json: JsonWriter<Json, Json> = { jsonSchema: {}, toJson: (value) => value, print: (value) => printJson(value) }

/** A time in Unix seconds, written in RFC 3339, UTC. */
export const time: JsonWriter<bigint, string> = textOutput({ type: "string", format: "date-time" }, printRfc3339)

/** A percentage, written with four decimals. */
export const percent: JsonWriter<number, string> = textOutput({ type: "string", pattern: "^[0-9]+\\.[0-9]{4}$" }, (value) =>
  value.toFixed(4),
)

/** A value that is converted to another value, which has a schema. */
export function converted<T, U, J>(schema: JsonWriter<U, J>, convert: (value: T) => U): JsonWriter<T, J> {
  const print = printerOf(schema)
  return {
    jsonSchema: schema.jsonSchema,
    toJson: (value, as) => schema.toJson(convert(value), as),
    print: (value, as) => print(convert(value), as),
    printSteps: (value, as) => printInSteps(schema, convert(value), as),
  }
}

/** A value that the two dialects write differently. The docs and the type of the JSON show the form of the contract alone. */
export function byDialect<T, J>(contract: JsonWriter<T, J>, avalanchego: JsonWriter<T, unknown>): JsonWriter<T, J> {
  const isContract = (as: ParseContext) => as.dialect !== "avalanchego"
  const [print, printAvalanchego] = [printerOf(contract), printerOf(avalanchego)]
  return {
    jsonSchema: contract.jsonSchema,
    toJson: (value, as) => (isContract(as) ? contract.toJson(value, as) : (avalanchego.toJson(value, as) as J)),
    print: (value, as) => (isContract(as) ? print(value, as) : printAvalanchego(value, as)),
    printSteps: (value, as) => (isContract(as) ? printInSteps(contract, value, as) : printInSteps(avalanchego, value, as)),
  }
}

/** A value of one of two schemas, which `isFirst` selects. */
export function choice<A, JA, B, JB>(
  isFirst: (value: A | B) => value is A,
  first: JsonWriter<A, JA>,
  second: JsonWriter<B, JB>,
): JsonWriter<A | B, JA | JB> {
  const [printFirst, printSecond] = [printerOf(first), printerOf(second)]
  return {
    jsonSchema: { anyOf: [first.jsonSchema, second.jsonSchema] },
    toJson: (value, as) => (isFirst(value) ? first.toJson(value, as) : second.toJson(value, as)),
    print: (value, as) => (isFirst(value) ? printFirst(value, as) : printSecond(value, as)),
    printSteps: (value, as) => (isFirst(value) ? printInSteps(first, value, as) : printInSteps(second, value, as)),
  }
}

/** A value, or its JSON text if the handler has printed it already. */
export function prePrinted<T, J>(item: JsonWriter<T, J>): JsonWriter<T | JsonText, J> {
  const print = printerOf(item)
  return {
    jsonSchema: item.jsonSchema,
    toJson: (value, as) => (value instanceof JsonText ? (parseJson(value.text) as J) : item.toJson(value, as)),
    print: (value, as) => (value instanceof JsonText ? value.text : print(value, as)),
    printSteps: (value, as) => (value instanceof JsonText ? value.text : printInSteps(item, value, as)),
  }
}

/** A value, or null. */
export function nullable<T, J>(item: JsonWriter<T, J>): JsonWriter<T | null, J | null> {
  const print = printerOf(item)
  return {
    jsonSchema: { anyOf: [item.jsonSchema, { type: "null" }] },
    toJson: (value, as) => (value === null ? null : item.toJson(value, as)),
    print: (value, as) => (value === null ? "null" : print(value, as)),
    printSteps: (value, as) => (value === null ? "null" : printInSteps(item, value, as)),
  }
}

/** An object whose member names are the keys of a map, in the order of the map. `keys` describes the names. */
export function map<K, T, J>(
  key: JsonWriter<K, string>,
  value: JsonWriter<T, J>,
  keys: string,
): JsonWriter<ReadonlyMap<K, T>, Readonly<Record<string, J>>> {
  const [printKey, printValue] = [printerOf(key), printerOf(value)]
  return {
    jsonSchema: { type: "object", additionalProperties: value.jsonSchema, description: `by ${keys}` },
    toJson: (entries, as) =>
      Object.fromEntries([...entries].map(([name, each]) => [key.toJson(name, as), value.toJson(each, as)])),
    print(entries, as) {
      let out = ""
      for (const [name, each] of entries) out += `${out === "" ? "" : ","}${printKey(name, as)}:${printValue(each, as)}`
      return `{${out}}`
    },
  }
}

/** An object of any members with the same schema. `keys` describes the names. */
export function record<T, J>(
  value: JsonWriter<T, J>,
  keys: string,
): JsonWriter<Readonly<Record<string, T>>, Readonly<Record<string, J>>> {
  const byText = map({ jsonSchema: {}, toJson: (name: string) => name }, value, keys)
  return {
    jsonSchema: byText.jsonSchema,
    toJson: (members, as) => byText.toJson(new Map(Object.entries(members)), as),
    print: (members, as) => printerOf(byText)(new Map(Object.entries(members)), as),
  }
}
