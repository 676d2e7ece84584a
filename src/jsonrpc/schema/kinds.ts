import { inside, type JsonSchema, type JsonWriter, type Schema } from "../../core/codec/schema.js"
import { toJson } from "../../core/codec/valueSink.js"
import { replaceLoneSurrogates } from "../../core/lib/go/goText.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { Json } from "../../core/lib/json.js"
import { EscapedText } from "./jsonMembers.js"
import {
  type AnyOutput,
  type AnyParam,
  badParam,
  inputSchemaOf,
  type Optional,
  type OptionalOutput,
  type Param,
  type ParseContext,
} from "./param.js"

/**
 * Makes a parameter of a schema that reads one JSON string. The refusal of the schema becomes the reason. `zero` is the value of a missing
 * parameter.
 */
export function textParam<T, J extends string>(schema: Schema<T, J>, zero: T, expected: string): Param<T, string, J> {
  return {
    ...schema,
    zero,
    fromJson(json, as, path) {
      if (typeof json !== "string") throw badParam(path, expected)
      try {
        return schema.fromJson(json, as, path)
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        throw badParam(path, expected, String(error.data.reason ?? error.sentence))
      }
    },
  }
}

/** Any text. Addresses are texts too, because the method itself refuses bad ones. */
export const string: Param<string, string, string> = {
  jsonSchema: { type: "string" },
  zero: "",
  writeJson: (sink, value) => sink.json(value),
  fromJson(json, _as, path) {
    const text = json instanceof EscapedText ? json.value : json
    if (typeof text !== "string") throw badParam(path, "a text")
    return replaceLoneSurrogates(text)
  },
}

export const bool: Param<boolean, boolean, boolean> = {
  jsonSchema: { type: "boolean" },
  zero: false,
  writeJson: (sink, value) => sink.json(value),
  fromJson(json, _as, path) {
    if (typeof json !== "boolean") throw badParam(path, "true or false")
    return json
  },
}

/** One of a few texts, in exactly this spelling. */
export function oneOf<const T extends string>(...names: readonly T[]): Param<T, T, T> {
  return {
    jsonSchema: { type: "string", enum: names },
    zero: names[0] as T,
    writeJson: (sink, value) => sink.json(value),
    fromJson(json, _as, path) {
      if (!names.includes(json as T)) throw badParam(path, `one of ${names.join(", ")}`)
      return json as T
    },
  }
}

/** The maximum number of items in a list. Each takes some microseconds to read, and a body can hold twenty thousand of them. */
const MAX_ITEMS = 4096

/** A list. As a parameter it refuses a bare value and more than 4,096 items. */
export function list<T, I, J>(item: Param<T, I, J>): Param<readonly T[], readonly I[], readonly J[]>
export function list<T, J>(item: JsonWriter<T, J>): JsonWriter<readonly T[], readonly J[]>
export function list(given: AnyOutput): AnyParam {
  const item = given as AnyParam
  return {
    jsonSchema: { type: "array", items: item.jsonSchema },
    inputSchema: { type: "array", items: inputSchemaOf(item), maxItems: MAX_ITEMS },
    zero: [],
    nullEmpties: true,
    writeJson: (sink, value: readonly unknown[], as) => sink.list(item, value, as),
    fromJson(json, as: ParseContext, path) {
      if (!Array.isArray(json)) throw badParam(path, "a list")
      if (json.length > MAX_ITEMS) throw badParam(path, `a list of at most ${MAX_ITEMS} items`)
      return json.map((each, i) => {
        if (each === null && as.dialect === "avalanchego") return item.zero
        return item.fromJson(each, as, inside(path, i))
      })
    },
  }
}

/**
 * A value that may be missing, which is `undefined`. A missing parameter is absent or null; a missing member of a result is not written.
 */
export function optional<T, I, J>(item: Param<T, I, J>): Optional<T | undefined, I, J | undefined>
export function optional<T, J>(item: JsonWriter<T, J>): OptionalOutput<T, J>
export function optional(
  item: AnyOutput,
): AnyParam & { readonly whenMissing: { readonly value: undefined }; readonly isOptional: true } {
  return { ...(item as AnyParam), whenMissing: { value: undefined }, isOptional: true }
}

/** A parameter with a default value for a missing parameter or null. */
export function withDefault<T, I, J>(param: Param<T, I, J>, value: T): Optional<T, I, J> {
  const inputSchema = { ...inputSchemaOf(param), default: toJson(param, value, {}) as Json }
  return { ...param, inputSchema, whenMissing: { value } }
}

/** Adds a sentence about a schema. A description that the schema already has, such as the form of an ID, becomes its title. */
export function described<S extends AnyOutput>(schema: S, description: string): S {
  const { inputSchema } = schema as AnyOutput & Partial<AnyParam>
  return {
    ...schema,
    jsonSchema: withDescription(schema.jsonSchema, description),
    ...(inputSchema ? { inputSchema: withDescription(inputSchema, description) } : {}),
  }
}

function withDescription(schema: JsonSchema, description: string): JsonSchema {
  const form = schema.title ?? schema.description
  return form === undefined ? { ...schema, description } : { ...schema, title: form, description }
}
