import { serviceList } from "../client/services.js"
import type { Json } from "../core/lib/json.js"
import { nearest } from "../core/lib/nearest.js"
import { parseJson } from "../core/lib/parseJson.js"
import type { AnyMethod } from "../jsonrpc/method.js"
import { cliError } from "./errors.js"

/** A JSON Schema, as the parameters of a method have it. */
type ParamSchema = AnyMethod["params"]["inputSchema"]

const methods: readonly AnyMethod[] = serviceList.flatMap((service) => service.methods)

/** The names of all methods: `platform.getHeight`. */
export const methodNames: readonly string[] = methods.map(({ name }) => name)

/** Returns the method of this name. Throws `cli.unknown_method` with the most similar name. */
export function requireMethod(name: string): AnyMethod {
  const found = methods.find((method) => method.name === name)
  if (found) return found
  const shortNames = methodNames.map((each) => each.slice(each.indexOf(".") + 1))
  const short = nearest(name.slice(name.indexOf(".") + 1), shortNames)
  const didYouMean = nearest(name, methodNames) ?? methodNames[short === undefined ? -1 : shortNames.indexOf(short)]
  throw cliError("cli.unknown_method", { method: name, ...(didYouMean === undefined ? {} : { didYouMean }) })
}

/** Reads `name=value` arguments as the parameters of a method, each by its schema. */
export function parseParams(method: AnyMethod, args: readonly string[]): Readonly<Record<string, Json>> {
  const { properties } = method.params.inputSchema as { readonly properties: Readonly<Record<string, ParamSchema>> }
  const params: Record<string, Json> = {}
  for (const arg of args) {
    const equals = arg.indexOf("=")
    if (equals < 1) throw cliError("cli.bad_param", { argument: arg })
    const [param, text] = [arg.slice(0, equals), arg.slice(equals + 1)]
    const schema = Object.hasOwn(properties, param) ? properties[param] : undefined
    if (!schema) throw unknownParam(method.name, param, Object.keys(properties))
    if (Object.hasOwn(params, param)) throw cliError("cli.repeated_param", { param })
    const value = readValue(text, schema)
    if (value === undefined) throw cliError("cli.param_value", { param, value: text, expected: formOf(schema) })
    params[param] = value
  }
  return params
}

function unknownParam(method: string, param: string, known: readonly string[]) {
  const didYouMean = nearest(param, known)
  const hint = didYouMean === undefined ? { known: known.join(" ") || "none" } : { didYouMean }
  return cliError("cli.unknown_param", { method, param, ...hint })
}

/** Reads the value of a text; `undefined` if it does not fit the schema. Text that begins with { or [ is JSON. */
function readValue(text: string, schema: ParamSchema): Json | undefined {
  if (/^[{[]/.test(text)) return parseJson(text)
  for (const choice of choicesOf(schema)) {
    const value = readChoice(text, choice)
    if (value !== undefined) return value
  }
  return undefined
}

function readChoice(text: string, schema: ParamSchema): Json | undefined {
  const { type, pattern, items = {}, const: only } = schema
  const words = schema.enum as readonly string[] | undefined
  if (only !== undefined) return text === only ? text : undefined
  if (words) return words.includes(text) ? text : undefined
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : undefined
  if (type === "integer") return /^-?\d{1,20}$/.test(text) ? parseJson(String(BigInt(text))) : undefined
  if (type === "number") return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined
  if (type === "array") return readList(text, items as ParamSchema)
  if (type === "object") return undefined
  return typeof pattern === "string" && !new RegExp(pattern).test(text) ? undefined : text
}

/** Values separated by commas; an empty text is an empty list. */
function readList(text: string, items: ParamSchema): Json | undefined {
  const values = text === "" ? [] : text.split(",").map((each) => readValue(each.trim(), items))
  return values.every((each) => each !== undefined) ? (values as Json[]) : undefined
}

function choicesOf(schema: ParamSchema): readonly ParamSchema[] {
  return (schema.oneOf ?? schema.anyOf ?? [schema]) as readonly ParamSchema[]
}

/** The form of a parameter in words. */
function formOf(schema: ParamSchema): string {
  return [...new Set(choicesOf(schema).map(formOfChoice))].join(" or ")
}

function formOfChoice(schema: ParamSchema): string {
  const { type, pattern, format, items = {}, const: only } = schema
  if (only !== undefined) return String(only)
  if (schema.enum) return `one of ${(schema.enum as readonly string[]).join(", ")}`
  if (type === "boolean") return "true or false"
  if (type === "integer" || pattern !== undefined) return "an integer"
  if (type === "number") return "a number"
  if (type === "array") return `a list separated by commas, each ${formOf(items as ParamSchema)}`
  if (type === "object") return "a JSON object"
  return format === "date-time" ? "a time such as 2026-01-31T12:00:00Z" : "a text"
}
