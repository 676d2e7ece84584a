import { type JsonPrinter, listParts, type PartPrinter, printerOf, printParts } from "../../core/codec/print.js"
import type { JsonSchema, JsonWriter } from "../../core/codec/schema.js"
import { flatText } from "../../core/lib/flatText.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { type Json, printJson } from "../../core/lib/json.js"
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

/** Makes the function that prints a value in parts, with the schema and value that `choose` returns, if one of the schemas has parts. */
function partsBy<T>(
  schemas: readonly JsonPrinter<never>[],
  choose: (value: T, as: ParseContext) => readonly [JsonPrinter<never>, unknown],
): PartPrinter<T> {
  if (!schemas.some((schema) => schema.printParts)) return {}
  return {
    printParts(value, as) {
      const [schema, chosen] = choose(value, as)
      return printParts(schema, chosen as never, as)
    },
  }
}

/** A value that is converted to another value, which has a schema. */
export function converted<T, U, J>(schema: JsonWriter<U, J>, convert: (value: T) => U): JsonWriter<T, J> {
  const print = printerOf(schema)
  return {
    jsonSchema: schema.jsonSchema,
    toJson: (value, as) => schema.toJson(convert(value), as),
    print: (value, as) => print(convert(value), as),
    ...partsBy([schema], (value) => [schema, convert(value)]),
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
    ...partsBy([contract, avalanchego], (value, as) => [isContract(as) ? contract : avalanchego, value]),
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
    ...partsBy([first, second], (value) => [isFirst(value) ? first : second, value]),
  }
}

/** A list that is read while it is printed, so that its items are not in memory together. */
export function rows<T, J>(item: JsonWriter<T, J>): JsonWriter<Iterable<T>, readonly J[]> {
  return {
    jsonSchema: { type: "array", items: item.jsonSchema },
    toJson: (values, as) => [...values].map((each) => item.toJson(each, as)),
    print: (values, as) => [...listParts(item, values, as)].join(""),
    printParts: (values, as) => listParts(item, values, as),
  }
}

/** An object of two parts, with the members of both. The text of a first part is remembered as long as the part itself. */
export function joined<A extends object, JA, B, JB>(
  first: JsonWriter<A, JA>,
  second: JsonWriter<B, JB>,
): JsonWriter<{ readonly first: A; readonly second: B }, JA & JB> {
  const [printFirst, printSecond] = [printerOf(first), printerOf(second)]
  const texts = new WeakMap<A, string>()
  const textOf = (part: A, as: ParseContext) => {
    const text = texts.get(part) ?? flatText(printFirst(part, as))
    texts.set(part, text)
    return text
  }
  const join = (one: string, other: string) => (other === "{}" ? one : `${one.slice(0, -1)},${other.slice(1)}`)
  return {
    jsonSchema: joinedSchema(first.jsonSchema, second.jsonSchema),
    toJson: (value, as) => ({ ...first.toJson(value.first, as), ...second.toJson(value.second, as) }),
    print: (value, as) => join(textOf(value.first, as), printSecond(value.second, as)),
    *printParts(value, as) {
      let isBegun = false
      for (const part of printParts(second, value.second, as)) {
        yield isBegun ? part : join(textOf(value.first, as), part)
        isBegun = true
      }
    },
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

/** A schema whose values are short, although they have lists: each is printed in one part, which takes less time than several. */
export function inOnePart<T, J>(schema: JsonWriter<T, J>): JsonWriter<T, J> {
  const { printParts: _, ...others } = schema
  return { ...others, print: printerOf(schema) }
}

/** A value, or null. */
export function nullable<T, J>(item: JsonWriter<T, J>): JsonWriter<T | null, J | null> {
  const print = printerOf(item)
  return {
    jsonSchema: { anyOf: [item.jsonSchema, { type: "null" }] },
    toJson: (value, as) => (value === null ? null : item.toJson(value, as)),
    print: (value, as) => (value === null ? "null" : print(value, as)),
    ...partsBy([item], (value) => [value === null ? json : item, value]),
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
