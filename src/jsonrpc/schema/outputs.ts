import { printerOf } from "../../core/codec/print.js"
import type { Output } from "../../core/codec/schema.js"
import { type Json, parseJson, printJson } from "../../core/lib/json.js"
import { printRfc3339 } from "../../core/lib/rfc3339.js"
import { JsonText } from "../printedJson.js"
import type { ParseContext } from "./param.js"

/** A text that needs no escapes, made of a value. */
export function textOutput<T>(jsonSchema: Output<T>["jsonSchema"], toText: (value: T) => string): Output<T, string> {
  return { jsonSchema, toJson: toText, print: (value) => `"${toText(value)}"` }
}

/** Any JSON, as it is. */
export const json: Output<Json, Json> = { jsonSchema: {}, toJson: (value) => value, print: (value) => printJson(value) }

/** Unix seconds, written in RFC 3339, UTC. */
export const time: Output<bigint, string> = textOutput({ type: "string", format: "date-time" }, printRfc3339)

/** A percentage, written with four decimals. */
export const percent: Output<number, string> = textOutput({ type: "string", pattern: "^[0-9]+\\.[0-9]{4}$" }, (value) =>
  value.toFixed(4),
)

/** A value that is converted to another one, which has a schema. */
export function converted<T, U, J>(schema: Output<U, J>, convert: (value: T) => U): Output<T, J> {
  const print = printerOf(schema)
  return {
    jsonSchema: schema.jsonSchema,
    toJson: (value, as) => schema.toJson(convert(value), as),
    print: (value, as) => print(convert(value), as),
  }
}

/** A value that the two dialects write differently. The docs show the form of the contract. */
export function byDialect<T, J, G>(contract: Output<T, J>, avalanchego: Output<T, G>): Output<T, J> {
  const isContract = (as: ParseContext) => as.dialect !== "avalanchego"
  const [print, printAvalanchego] = [printerOf(contract), printerOf(avalanchego)]
  return {
    jsonSchema: contract.jsonSchema,
    toJson: (value, as) => (isContract(as) ? contract.toJson(value, as) : (avalanchego.toJson(value, as) as unknown as J)),
    print: (value, as) => (isContract(as) ? print(value, as) : printAvalanchego(value, as)),
  }
}

/** A value of one of two kinds; `isFirst` tells them apart. */
export function choice<A, JA, B, JB>(
  isFirst: (value: A | B) => value is A,
  first: Output<A, JA>,
  second: Output<B, JB>,
): Output<A | B, JA | JB> {
  const [printFirst, printSecond] = [printerOf(first), printerOf(second)]
  return {
    jsonSchema: { anyOf: [first.jsonSchema, second.jsonSchema] },
    toJson: (value, as) => (isFirst(value) ? first.toJson(value, as) : second.toJson(value, as)),
    print: (value, as) => (isFirst(value) ? printFirst(value, as) : printSecond(value, as)),
  }
}

/** The same value, or its JSON text where the handler has printed it already. */
export function prePrinted<T, J>(item: Output<T, J>): Output<T | JsonText, J> {
  const print = printerOf(item)
  return {
    jsonSchema: item.jsonSchema,
    toJson: (value, as) => (value instanceof JsonText ? (parseJson(value.text) as J) : item.toJson(value, as)),
    print: (value, as) => (value instanceof JsonText ? value.text : print(value, as)),
  }
}

/** The same value, or null. */
export function nullable<T, J>(item: Output<T, J>): Output<T | null, J | null> {
  const print = printerOf(item)
  return {
    jsonSchema: { anyOf: [item.jsonSchema, { type: "null" }] },
    toJson: (value, as) => (value === null ? null : item.toJson(value, as)),
    print: (value, as) => (value === null ? "null" : print(value, as)),
  }
}

/** An object whose members are named by what they are about, in the order of the map; `keys` says what their names are. */
export function map<K, T, J>(
  key: Output<K, string>,
  value: Output<T, J>,
  keys: string,
): Output<ReadonlyMap<K, T>, Readonly<Record<string, J>>> {
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

/** An object of any members, all alike; `keys` says what their names are. */
export function record<T, J>(
  value: Output<T, J>,
  keys: string,
): Output<Readonly<Record<string, T>>, Readonly<Record<string, J>>> {
  const byText = map({ jsonSchema: {}, toJson: (name: string) => name }, value, keys)
  return {
    jsonSchema: byText.jsonSchema,
    toJson: (members, as) => byText.toJson(new Map(Object.entries(members)), as),
    print: (members, as) => printerOf(byText)(new Map(Object.entries(members)), as),
  }
}
