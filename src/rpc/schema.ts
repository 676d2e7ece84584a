import type { JsonSchema, Schema, Spelling } from "../codec/schema.js"
import { inside } from "../codec/schema.js"
import { foldedName, wellFormed } from "../lib/goText.js"
import { Invalid } from "../lib/invalid.js"
import type { Json } from "../lib/json.js"
import { MAX64 } from "../lib/math64.js"
import { type Encoding, parseEncoding } from "../types/hexText.js"
import { EMPTY_ID, EMPTY_NODE_ID, type ID, idText, type NodeID, nodeIDText, parseID, parseNodeID } from "../types/id.js"
import { rpcError } from "./errors.js"

/** Whose habits an answer follows: those of our contract, or AvalancheGo's to the letter (api.md §3). */
export type Dialect = "contract" | "avalanchego"

/** What reading a parameter depends on. */
export interface Asked extends Spelling {
  /** `contract` if left out. */
  readonly dialect?: Dialect
}

/**
 * One parameter: `T` is what a handler gets, `I` what a caller may write. JSON reaches it with integers in plain digits as bigints
 * and all other numbers as numbers, so that `1.0` and `1e3` can be refused.
 */
export interface Param<T, I = unknown> extends Schema<T> {
  /** What AvalancheGo takes a missing one for: the zero of its type. */
  readonly zero: T
  /** True where "" counts as missing, if it may be missing at all (`contract` only). */
  readonly emptyIsMissing?: boolean
  /** Present where the parameter may be left out. */
  readonly whenMissing?: { readonly value: T }
  /** True where null takes back what a doubled member said before; elsewhere null says nothing. */
  readonly nullEmpties?: boolean
  /** Throws `rpc.bad_param` with the path of the member that is wrong. */
  fromJson(json: unknown, as: Asked, path?: string): T
  /** Holds no value: it carries `I`. */
  readonly input?: (given: I) => void
}

/** A parameter that may be left out. */
export type Optional<T, I = unknown> = Param<T, I> & { readonly whenMissing: { readonly value: T } }

// biome-ignore lint/suspicious/noExplicitAny: types are made from values here
type AnyParam = Param<any, any>
export type Members = Readonly<Record<string, AnyParam>>
type ValueOf<S> = S extends Param<infer T, infer _> ? T : never
type InputOf<S> = S extends { readonly input?: (given: infer I) => void } ? I : never
type Flat<T> = { readonly [K in keyof T]: T[K] }
type OptionalKeys<M extends Members> = { [K in keyof M]: M[K] extends { readonly whenMissing: unknown } ? K : never }[keyof M]

/** What a handler gets for an object of these members. */
export type ObjectValue<M extends Members> = { readonly [K in keyof M]: ValueOf<M[K]> }

/** What a caller may write for an object of these members. */
export type ObjectInput<M extends Members> = Flat<
  { readonly [K in Exclude<keyof M, OptionalKeys<M>>]: InputOf<M[K]> } & {
    readonly [K in OptionalKeys<M>]?: InputOf<M[K]> | null | undefined
  }
>

/** An object parameter, or a method's parameters as a whole. */
export interface ObjectParam<M extends Members> extends Param<ObjectValue<M>, ObjectInput<M>> {
  readonly members: M
  /** Whether a member of this name is asked for, in whatever letter case. */
  knows(name: string): boolean
}

/** The refusal of a parameter that is not what it must be. */
export function badParam(path: string | undefined, expected: string, reason?: string): Invalid {
  return rpcError("rpc.bad_param", { param: path ?? "params", expected, ...(reason === undefined ? {} : { reason }) })
}

/** A parameter written as one JSON text and read by `parse`, whose refusal becomes the reason. */
function textParam<T>(
  jsonSchema: JsonSchema,
  zero: T,
  expected: string,
  parse: (text: string) => T,
  spell: (value: T) => string,
) {
  const param: Param<T, string> = {
    jsonSchema,
    zero,
    toJson: spell,
    fromJson(json, _as, path) {
      if (typeof json !== "string") throw badParam(path, expected)
      try {
        return parse(json)
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
        throw badParam(path, expected, error.message)
      }
    },
  }
  return param
}

/** An ID in cb58. Missing: 32 zero bytes, which is the P-Chain and the Primary Network. */
export const id: Param<ID, string> = {
  ...textParam({ type: "string", description: "an ID in cb58" }, EMPTY_ID, "an ID in cb58", parseID, idText),
  emptyIsMissing: true,
}

export const nodeID: Param<NodeID, string> = textParam(
  { type: "string", description: "a node ID, NodeID- and cb58" },
  EMPTY_NODE_ID,
  "a node ID, NodeID- and cb58",
  parseNodeID,
  nodeIDText,
)

/** How bytes are asked for or given, in any letter case. */
export const encoding: Param<Encoding, string> = textParam(
  { type: "string", enum: ["hex", "hexc", "hexnc", "json"] },
  "hex",
  "one of hex, hexc, hexnc, json",
  parseEncoding,
  (value) => value,
)

/** A JSON text with escapes, in AvalancheGo's dialect: its own types (IDs, numbers, encodings) read what stands between the quotes, and refuse. */
export class EscapedText {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }
}

/** Any text; addresses too, since what is wrong with one is the method's to say. */
export const string: Param<string, string> = {
  jsonSchema: { type: "string" },
  zero: "",
  toJson: (value) => value,
  fromJson(json, _as, path) {
    const text = json instanceof EscapedText ? json.value : json
    if (typeof text !== "string") throw badParam(path, "a text")
    return wellFormed(text)
  },
}

export const bool: Param<boolean, boolean> = {
  jsonSchema: { type: "boolean" },
  zero: false,
  toJson: (value) => value,
  fromJson(json, _as, path) {
    if (typeof json !== "boolean") throw badParam(path, "true or false")
    return json
  },
}

/** Digits, as a number or a text of any length; nothing else: no sign, fraction, exponent or space. */
function digitsOf(json: unknown, maximum: bigint): bigint | undefined {
  const value = typeof json === "bigint" ? json : typeof json === "string" && /^\d{1,1000}$/.test(json) ? BigInt(json) : undefined
  return value !== undefined && value >= 0n && value <= maximum ? value : undefined
}

const digitsSchema = (maximum: bigint): JsonSchema => ({
  oneOf: [
    { type: "string", pattern: "^[0-9]+$" },
    { type: "integer", minimum: 0, maximum },
  ],
})

function smallInteger(bits: number): Param<number, string | number> {
  const maximum = 2n ** BigInt(bits) - 1n
  return {
    jsonSchema: digitsSchema(maximum),
    zero: 0,
    toJson: (value) => value,
    fromJson(json, _as, path) {
      const value = digitsOf(json, maximum)
      if (value === undefined) throw badParam(path, `an integer from 0 to ${maximum}`)
      return Number(value)
    },
  }
}

export const u8 = smallInteger(8)
export const u16 = smallInteger(16)
export const u32 = smallInteger(32)

/** 64 bits, unsigned; a text where JSON numbers would be rounded on the way. */
export const u64: Param<bigint, string | number | bigint> = {
  jsonSchema: digitsSchema(MAX64),
  zero: 0n,
  toJson: (value) => value.toString(),
  fromJson(json, _as, path) {
    const value = digitsOf(json, MAX64)
    if (value === undefined) throw badParam(path, `an integer from 0 to ${MAX64}`)
    return value
  },
}

/** A height, or `proposed`. The largest u64 is refused: AvalancheGo means "proposed" by it inside. */
export const height: Param<bigint | "proposed", string | number | bigint> = {
  jsonSchema: { oneOf: [...(digitsSchema(MAX64 - 1n).oneOf as readonly Json[]), { const: "proposed" }] },
  zero: 0n,
  toJson: (value) => value.toString(),
  fromJson(json, _as, path) {
    const value = json === "proposed" ? json : digitsOf(json, MAX64 - 1n)
    if (value === undefined) throw badParam(path, `a height from 0 to ${MAX64 - 1n}, or "proposed"`)
    return value
  },
}

/** Any finite number, fractions too. */
export const number: Param<number, number | bigint> = {
  jsonSchema: { type: "number" },
  zero: 0,
  toJson: (value) => value,
  fromJson(json, _as, path) {
    if ((typeof json !== "number" && typeof json !== "bigint") || !Number.isFinite(Number(json))) throw badParam(path, "a number")
    return Number(json)
  },
}

/** One of a few texts, in this very spelling. */
export function oneOf<const T extends string>(...names: readonly T[]): Param<T, T> {
  return {
    jsonSchema: { type: "string", enum: names },
    zero: names[0] as T,
    toJson: (value) => value,
    fromJson(json, _as, path) {
      if (!names.includes(json as T)) throw badParam(path, `one of ${names.join(", ")}`)
      return json as T
    },
  }
}

/** The first of these that takes it. */
export function either<A, IA, B, IB>(a: Param<A, IA>, b: Param<B, IB>, expected: string): Param<A | B, IA | IB> {
  const first = a as Param<A | B, IA>
  return {
    jsonSchema: { anyOf: [a.jsonSchema, b.jsonSchema] },
    zero: a.zero,
    toJson: (value, as) => first.toJson(value, as),
    fromJson(json, as, path) {
      for (const each of [a, b]) {
        try {
          return each.fromJson(json, as, path)
        } catch (error) {
          if (!(error instanceof Invalid)) throw error
        }
      }
      throw badParam(path, expected)
    },
  }
}

/** A list; a bare value is refused. */
export function list<T, I>(item: Param<T, I>): Param<readonly T[], readonly I[]> {
  return {
    jsonSchema: { type: "array", items: item.jsonSchema },
    zero: [],
    nullEmpties: true,
    toJson: (value, as) => value.map((each) => item.toJson(each, as)),
    fromJson(json, as, path) {
      if (!Array.isArray(json)) throw badParam(path, "a list")
      return json.map((each, i) => {
        if (each === null && as.dialect === "avalanchego") return item.zero
        return item.fromJson(each, as, inside(path, i))
      })
    },
  }
}

/** `undefined` where it is left out or null. */
export function optional<T, I>(param: Param<T, I>): Optional<T | undefined, I> {
  return { ...(param as Param<T | undefined, I>), whenMissing: { value: undefined } }
}

/** This value where it is left out or null. */
export function withDefault<T, I>(param: Param<T, I>, value: T): Optional<T, I> {
  return { ...param, jsonSchema: { ...param.jsonSchema, default: param.toJson(value, {}) }, whenMissing: { value } }
}

/** The same parameter with a sentence about it. */
export function described<P extends AnyParam>(param: P, description: string): P {
  return { ...param, jsonSchema: { ...param.jsonSchema, description } }
}

/** An object of JSON text: its members in their order, doubled ones too. */
export class JsonMembers {
  readonly entries: [string, unknown][]

  constructor(entries: [string, unknown][]) {
    this.entries = entries
  }
}

function entriesOf(json: unknown, path: string | undefined): readonly (readonly [string, unknown])[] {
  if (json instanceof JsonMembers) return json.entries
  if (typeof json !== "object" || json === null || Array.isArray(json) || json instanceof EscapedText) {
    throw badParam(path, "an object")
  }
  return Object.entries(json)
}

/**
 * What stands for a member that comes once more, as in Go, which reads all of them one after the other: a bad one is refused even if
 * a good one follows, and objects are filled further.
 */
function joined(param: AnyParam, before: unknown, value: unknown, as: Asked, path: string): unknown {
  if (value === null) return param.nullEmpties ? undefined : before
  if (before === undefined) return value
  if (before instanceof JsonMembers && value instanceof JsonMembers) {
    for (const entry of value.entries) before.entries.push(entry)
    return before
  }
  param.fromJson(before, as, path)
  return value
}

/**
 * An object of these members. Names match in any letter case, of doubled ones the last counts, unknown ones are ignored, null is
 * missing. A member that may not be left out is refused by name in the `contract` dialect and zero in AvalancheGo's.
 */
export function object<M extends Members>(members: M): ObjectParam<M> {
  const names = Object.keys(members)
  const byFolded = new Map(names.map((name) => [foldedName(name), name]))
  const nameOf = (key: string) => (Object.hasOwn(members, key) ? key : byFolded.get(foldedName(key)))
  const missing = (name: string, as: Asked, path: string | undefined) => {
    const param = members[name] as AnyParam
    if (param.whenMissing) return param.whenMissing.value
    if (as.dialect === "avalanchego") return param.zero
    throw rpcError("rpc.missing_param", { param: inside(path, name) })
  }
  const fromJson = (json: unknown, as: Asked, path?: string) => {
    const given = new Map<string, unknown>()
    for (const [key, value] of entriesOf(json, path)) {
      const name = nameOf(key)
      if (name === undefined) continue
      given.set(name, joined(members[name] as AnyParam, given.get(name), value, as, inside(path, name)))
    }
    const out: Record<string, unknown> = {}
    for (const name of names) {
      const param = members[name] as AnyParam
      const value = given.get(name)
      const isMissing =
        value === undefined || (value === "" && param.emptyIsMissing && param.whenMissing && as.dialect !== "avalanchego")
      out[name] = isMissing ? missing(name, as, path) : param.fromJson(value, as, inside(path, name))
    }
    return out as ObjectValue<M>
  }
  return {
    members,
    knows: (name) => nameOf(name) !== undefined,
    jsonSchema: {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, (members[name] as AnyParam).jsonSchema])),
      required: names.filter((name) => !(members[name] as AnyParam).whenMissing),
    },
    get zero() {
      return fromJson({}, { dialect: "avalanchego" })
    },
    fromJson,
    toJson: (value, as) =>
      Object.fromEntries(names.map((name) => [name, (members[name] as AnyParam).toJson(value[name as keyof M], as)])),
  }
}

/** The parameters of a method that has none; whatever object is given is ignored. */
export const nothing = object({})
