import { nanosOf } from "./format.js"
import { call, type Json } from "./rpc.js"

/** A method as OpenRPC describes it. */
export interface RpcMethod {
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags: readonly { readonly name: string }[]
  readonly servers: readonly { readonly url: string }[]
  readonly params: readonly RpcParam[]
  readonly examples: readonly { readonly params: readonly { readonly name: string; readonly value: Json }[] }[]
}

/** A parameter with the schema of its value. */
interface RpcParam {
  readonly name: string
  readonly required: boolean
  readonly schema: RpcSchema
}

/** The part of a JSON schema that forms use. */
interface RpcSchema {
  readonly type?: string | readonly string[]
  readonly oneOf?: readonly RpcSchema[]
  readonly enum?: readonly string[]
  readonly default?: Json
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, RpcSchema>>
  readonly required?: readonly string[]
}

/** A field of a form: a parameter, or a member of one that is an object. */
export interface FormField {
  /** The names on the way to the value: `["autoRenew", "period"]`. */
  readonly path: readonly string[]
  readonly key: string
  readonly required: boolean
  readonly schema: RpcSchema
}

/** The texts of a form by the keys of its fields. */
export type FormTexts = Readonly<Record<string, string>>

/** Requests the description of the API, which is the same in both dialects. */
export async function askOpenRpc(): Promise<readonly RpcMethod[]> {
  return (await call<{ methods: RpcMethod[] }>("/ext/info", "rpc.discover")).methods
}

/** The path of a method's service. */
export const pathOf = ({ servers }: RpcMethod): string => new URL(servers[0]?.url ?? "/", "http://node").pathname

/** The name of a method's service. */
export const serviceOf = ({ tags }: RpcMethod): string => tags[0]?.name ?? ""

/** Returns the fields of a method's form. A member of an optional object is optional. */
export function fieldsOf({ params }: RpcMethod): readonly FormField[] {
  return params.flatMap(({ name, required, schema }): FormField[] => {
    const members = Object.entries(schema.properties ?? {})
    if (members.length === 0) return [{ path: [name], key: name, required, schema }]
    return members.map(([member, of]) => ({
      ...{ path: [name, member], key: `${name}.${member}`, schema: of },
      required: required && schema.required?.includes(member) === true,
    }))
  })
}

/** Returns the parameters that a filled form means. `read` reads the text of a field that is not empty. */
export function paramsOf(fields: readonly FormField[], texts: FormTexts, read = fieldValue): Record<string, Json> {
  const params: Record<string, Json> = {}
  for (const field of fields) {
    const text = texts[field.key]?.trim() ?? ""
    if (text === "") continue
    const [name = "", member] = field.path
    const value = read(text, field)
    params[name] = member === undefined ? value : { ...(params[name] as object), [member]: value }
  }
  return params
}

/** Returns the text that a form shows for a value. */
export const fieldText = (value: Json | undefined): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

/** Reads a field: a number if the schema allows one, JSON if it is a list, an object or a boolean, and text otherwise. */
export function fieldValue(text: string, { schema }: FormField): Json {
  if (schema.type === "string" || schema.enum) return text
  if (/^\d+$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
  try {
    return JSON.parse(text) as Json
  } catch {
    return schema.type === "array" ? text.split(/[\s,]+/).filter((each) => each !== "") : text
  }
}

/** The beginnings of values, by the words of a description. */
const STARTS: readonly (readonly [words: RegExp, start: string])[] = [
  [/\bas hex\b/, "0x…"],
  [/a node ID/i, "NodeID-…"],
]

/** Returns the placeholder of an empty field: its default, or the beginning of a value. `address` is that of addresses: `P-local1`. */
export function placeholderOf({ path, schema }: FormField, address: string): string {
  const usual = fieldText(schema.default)
  if (usual !== "" && usual !== "[]") return usual
  const found = STARTS.find(([words]) => words.test(`${schema.description} ${schema.title}`))
  if (found) return found[1]
  const name = path.at(-1) ?? ""
  if (/(address|owner)$/i.test(name)) return `${address}…`
  return /addresses$/i.test(name) ? `["${address}…"]` : ""
}

const DAY = 86_400

/** Units that people use instead of those of the API, by the words of a description. */
const UNITS = [
  { api: "in nAVAX", people: "in AVAX", size: 1e9 },
  { api: "in seconds", people: "in days", size: DAY },
] as const

const unitOf = ({ key, schema }: FormField) =>
  key === "seconds" ? undefined : UNITS.find(({ api }) => schema.description?.includes(api))

/** Describes a field in the units of people. */
export const hintForPeople = (field: FormField): string => {
  const { api = "", people = "" } = unitOf(field) ?? {}
  return (field.schema.description ?? "").replace(api, people)
}

/** Returns the default of a field in the units of people. */
export function defaultForPeople(field: FormField): string {
  const text = fieldText(field.schema.default)
  const unit = unitOf(field)
  return unit && text !== "" ? String(Number(text) / unit.size) : text
}

/** Reads a field in the units of people. Throws if an amount is none. */
export function valueForPeople(text: string, field: FormField): Json {
  const unit = unitOf(field)
  if (!unit) return fieldValue(text, field)
  const value = unit.size === DAY ? Math.round(Number(text) * DAY) : nanosOf(text)
  if (value === undefined) throw new Error("An amount is a number of AVAX such as 12.5, with at most nine decimals.")
  if (Number.isNaN(value)) throw new Error("A time is a number of days such as 14 or 0.5.")
  return value
}

const WORDS: Readonly<Record<string, string>> = {
  id: "ID",
  ids: "IDs",
  l1: "L1",
  vm: "VM",
  warp: "Warp",
  p: "P",
  tx: "transaction",
}

/** Returns a name of code as words: `setL1Weight` is `Set L1 weight`. */
export function wordsOf(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])|\./g, "$1 $2").split(" ")
  const text = words.map((word) => WORDS[word.toLowerCase()] ?? word.toLowerCase()).join(" ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}
