import type { JsonSchema } from "../core/codec/schema.js"
import type { Json } from "../core/lib/json.js"

/**
 * The type of an answer in the library, derived from the type of its JSON: 64-bit integers are bigints, whether the JSON quotes them or
 * not, and smaller integers are numbers.
 */
export type Answer<J> = Json extends J
  ? J
  : J extends `${bigint}`
    ? bigint
    : J extends `${number}`
      ? number
      : J extends string | number | bigint | boolean | null | undefined
        ? J
        : J extends readonly (infer I)[]
          ? readonly Answer<I>[]
          : { readonly [K in keyof J]: Answer<J[K]> }

/** Patterns of 64-bit integers that are written as text: unsigned, and signed. */
const WIDE_TEXT: readonly unknown[] = ["^[0-9]+$", "^-?[0-9]+$"]
/** The pattern of smaller integers that are written as text. */
export const SMALL_TEXT = "^[0-9]{1,10}$"

/**
 * Converts the integers of an answer by the schema of its JSON. Values that do not fit the schema, such as those of the other dialect, stay
 * as they are. `{ $ref: 3 }` stands for the schema at this place of `shared`.
 */
export function answerOf(json: Json, given: JsonSchema, shared: readonly JsonSchema[] = []): unknown {
  const schema = referred(given, shared)
  const choices = choicesOf(schema)
  if (choices) return answerOf(json, choices.find((each) => fits(json, each, shared)) ?? {}, shared)
  if (Array.isArray(json)) return itemsOf(json, schema, shared)
  if (typeof json === "object" && json !== null) return membersOf(json as { readonly [name: string]: Json }, schema, shared)
  if (typeof json === "string" && isWideText(schema)) return BigInt(json)
  if (typeof json === "string" && isSmallText(schema)) return Number(json)
  return typeof json === "number" && isWide(schema) ? BigInt(json) : json
}

const referred = (schema: JsonSchema, shared: readonly JsonSchema[]): JsonSchema =>
  schema.$ref === undefined ? schema : (shared[schema.$ref as number] as JsonSchema)

const choicesOf = ({ anyOf, oneOf }: JsonSchema) => (anyOf ?? oneOf) as readonly JsonSchema[] | undefined

/** Returns whether a value of this schema is an integer of 64 bits as a number. */
export const isWide = ({ type, format, maximum }: JsonSchema): boolean =>
  type === "integer" && (format === "uint64" || (typeof maximum === "bigint" && maximum > BigInt(Number.MAX_SAFE_INTEGER)))

/** Returns whether a value of this schema is an integer of 64 bits as text. */
export const isWideText = ({ pattern }: JsonSchema): boolean => WIDE_TEXT.includes(pattern)

/** Returns whether a value of this schema is a smaller integer as text. */
export const isSmallText = ({ pattern }: JsonSchema): boolean => pattern === SMALL_TEXT

function itemsOf(items: readonly Json[], schema: JsonSchema, shared: readonly JsonSchema[]): unknown {
  const item = schema.items as JsonSchema | undefined
  return item ? items.map((each) => answerOf(each, item, shared)) : items
}

function membersOf(members: { readonly [name: string]: Json }, schema: JsonSchema, shared: readonly JsonSchema[]): unknown {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>
  const others = schema.additionalProperties as JsonSchema | boolean | undefined
  const schemaOf = (name: string) =>
    Object.hasOwn(properties, name) ? properties[name] : typeof others === "object" ? others : undefined
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const own = schemaOf(name)
      return [name, own ? answerOf(value, own, shared) : value]
    }),
  )
}

/**
 * Returns whether a value may have this schema, judged by its type and, for an object, by its members. This distinguishes the kinds of
 * transactions.
 */
function fits(json: Json, given: JsonSchema, shared: readonly JsonSchema[]): boolean {
  const schema = referred(given, shared)
  const choices = choicesOf(schema)
  if (choices) return choices.some((each) => fits(json, each, shared))
  const { type, properties, required } = schema
  if (json === null) return type === "null"
  if (Array.isArray(json)) return type === "array"
  if (typeof json !== "object")
    return type === (typeof json === "bigint" ? "integer" : typeof json) || (type === "integer" && typeof json === "number")
  if (type !== "object") return false
  const known = properties as Readonly<Record<string, JsonSchema>> | undefined
  return (
    known === undefined ||
    (((required ?? []) as readonly string[]).every((name) => name in json) && Object.keys(json).every((name) => name in known))
  )
}
