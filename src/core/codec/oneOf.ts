import type { Invalid } from "../lib/invalid.js"
import type { Json } from "../lib/json.js"
import { codecError } from "./errors.js"
import type { Reader } from "./reader.js"
import type { Codec, JsonOf } from "./schema.js"
import {
  type Fields,
  type JsonOfMembers,
  type JsonOnlyMembers,
  type NoMembers,
  objectOf,
  type StructJson,
  structOf,
  type ValueOf,
} from "./struct.js"

/** One of several kinds. `kind` identifies it in TypeScript, the type ID on the wire. */
export interface Variant<K extends string, T, J = Json> extends Codec<T & { readonly kind: K }, J> {
  readonly kind: K
  readonly typeID: number
  readonly members: readonly string[]
}

export type AnyVariant = Variant<any, any, any>

/** Declares one kind: its name, its type ID, its fields. `oneOf` writes the type ID itself. */
export function variant<const K extends string, F extends Fields, A extends JsonOnlyMembers = NoMembers>(
  kind: K,
  typeID: number,
  fields: F,
  json: StructJson<A> = {},
): Variant<K, ValueOf<F>, JsonOfMembers<F & A>> & { readonly fields: F } {
  return { ...(structOf(kind, fields, json) as any), kind, typeID }
}

/** The codecs of a list of definitions, in their order. */
export type CodecsOf<T extends readonly { readonly codec: AnyVariant }[]> = { readonly [I in keyof T]: T[I]["codec"] }

/** Returns the codecs of a list of definitions. The type of `map` does not say that its result has an item for each definition. */
export function codecsOf<const T extends readonly { readonly codec: AnyVariant }[]>(types: T): CodecsOf<T> {
  return types.map((type) => type.codec) as CodecsOf<T>
}

/** AvalancheGo's interface for the values at one place of the protocol, from which its messages are made. */
export interface GoInterface {
  /** The name of the interface, such as `avax.TransferableOut`. */
  readonly interface: string
  /** AvalancheGo's names of all types with a type ID, by type ID. */
  readonly registered: Readonly<Record<number, string>>
  /** AvalancheGo's names of the types that have a type ID only if the outermost value is one of them. */
  readonly outermost?: Readonly<Record<number, string>>
  /** Type IDs that fit this interface, too, and that are always refused here because their type is open: it cannot be nested in itself. */
  readonly nestsAlso?: readonly number[]
}

export interface OneOf<V extends readonly AnyVariant[]> extends Codec<ValueOfVariants<V>, JsonOfVariants<V>> {
  readonly variants: V
  /** Returns the codec of one kind alone, including the type ID. */
  ofKind(kind: string): Codec<ValueOfVariants<V>, JsonOfVariants<V>> | undefined
}

type ValueOfVariants<V extends readonly AnyVariant[]> = V[number] extends infer E
  ? E extends Codec<infer T, infer _>
    ? T
    : never
  : never
type JsonOfVariants<V extends readonly AnyVariant[]> = V[number] extends infer E ? JsonOf<E> : never

/** Makes the codec of a value of one of these kinds: a 4-byte type ID, then its fields. */
export function oneOf<const V extends readonly AnyVariant[]>(place: GoInterface, ...variants: V): OneOf<V> {
  const byID = new Map<number, AnyVariant>()
  const byKind = new Map<string, AnyVariant>()
  for (const each of variants) {
    if (byID.has(each.typeID) || byKind.has(each.kind)) throw new Error(`${each.kind}: type ID or kind listed twice`)
    byID.set(each.typeID, each)
    byKind.set(each.kind, each)
  }
  const codec: OneOf<V> = {
    variants,
    composite: true,
    minSize: 4 + Math.min(...variants.map((each) => each.minSize)),
    jsonSchema: variants.length === 1 ? variants[0]!.jsonSchema : { oneOf: variants.map((each) => each.jsonSchema) },
    read(r) {
      const start = r.offset
      if (r.left < 4) throw r.fail("codec.truncated", { wanted: 4, left: r.left, reading: "interface" })
      const typeID = r.u32()
      const found = byID.get(typeID)
      if (found === undefined || r.open.includes(typeID)) {
        r.offset = start
        throw typeMismatch(r, place, typeID, found !== undefined)
      }
      r.trace?.leaf(start, r.offset, "typeID")
      r.open.push(typeID)
      const value = found.read(r)
      r.open.pop()
      return value
    },
    write(w, value: any) {
      const found = byKind.get(value.kind)
      if (!found) throw new Error(`${value.kind} is not allowed here`)
      w.u32(found.typeID)
      found.write(w, value)
    },
    writeJson: (sink, value: any, as) => byKind.get(value.kind)!.writeJson(sink, value, as),
    fromJson(json, as, path) {
      const given = Object.keys(objectOf(json, path))
      const fitting = variants.filter(
        (each) => each.members.length === given.length && given.every((name) => each.members.includes(name)),
      )
      if (fitting.length === 1) return fitting[0]!.fromJson(json, as, path)
      const kinds = (fitting.length === 0 ? variants : fitting).map((each) => each.kind)
      if (fitting.length > 1) throw codecError("codec.ambiguous_json", { path: path ?? "", kinds })
      throw codecError("codec.bad_json", { path: path ?? "", expected: `the members of one of ${kinds.join(", ")}` })
    },
    ofKind(kind) {
      const found = byKind.get(kind)
      return found && { ...codec, minSize: 4 + found.minSize, fromJson: found.fromJson, jsonSchema: found.jsonSchema }
    },
  }
  return codec
}

function outermostName({ open }: Reader, { outermost }: GoInterface, typeID: number): string | undefined {
  return open[0] !== undefined && outermost && open[0] in outermost ? outermost[typeID] : undefined
}

/** Makes the refusal of a type ID: it is unknown, not allowed here, or of a type that contains itself. */
function typeMismatch(r: Reader, place: GoInterface, typeID: number, listed: boolean): Invalid {
  const typeName = place.registered[typeID] ?? outermostName(r, place, typeID)
  if (typeName === undefined) return r.fail("codec.unknown_type", { typeID })
  const fits = listed || place.nestsAlso?.includes(typeID) === true
  if (fits && r.open.includes(typeID)) return r.fail("codec.nested_type", { typeID, typeName })
  return r.fail("codec.misplaced_type", { typeID, typeName, place: place.interface })
}
