import { type Json, printJson } from "../lib/json.js"
import type { Reader } from "./reader.js"
import type { Writer } from "./writer.js"

/** The form of IDs and addresses in JSON. Without an HRP, addresses are written as cb58. */
export interface TextFormat {
  readonly hrp?: string
  /** A cache of texts: returns the text of an ID or address of this kind, and calls `make` if it is not cached. */
  cachedText?(kind: string, value: string, make: () => string): string
}

/** A JSON Schema (draft 2020-12), as far as it is used here. */
export type JsonSchema = { readonly [key: string]: Json }

/** Writes values as JSON, with a JSON Schema for the docs. `J` is the TypeScript type of the JSON. */
export interface JsonWriter<T, J = Json> {
  readonly jsonSchema: JsonSchema
  /** The whole schema for clients, if `jsonSchema` describes the value in words because the schema has many pages. */
  readonly wholeSchema?: JsonSchema
  /** Writes one JSON value with one call of the sink. Use `toJson`, `print` or `printParts`. */
  writeJson(sink: JsonSink, value: T, as: TextFormat): void
  /** Never has a value; it only carries the type `J`. */
  readonly output?: () => J
}

/** The receiver of the JSON that schemas write: it makes a value in memory or a text. Each method receives one whole value. */
export interface JsonSink {
  /** Any JSON that is in memory. */
  json(value: Json): void
  /** A text of which no character needs an escape. */
  plain(text: string): void
  list<T>(item: JsonWriter<T, unknown>, values: Iterable<T>, as: TextFormat): void
  object<T>(members: readonly JsonMember<T>[], value: T, as: TextFormat): void
}

/** A member of an object of the type `T`, or all members of another object in its place. */
export interface JsonMember<T> {
  /** The name; `undefined` for all members of the object that `schema` writes. */
  readonly name: string | undefined
  /** The name as JSON text, with a colon. */
  readonly text: string
  readonly schema: JsonWriter<any, unknown>
  /** Returns the value of the member. */
  of(value: T): unknown
  /** True if the member is omitted when its value is `undefined`. */
  readonly isOptional?: boolean
  /** Where the text of each value is kept, as long as the value itself. Such an object has at least one member. */
  readonly texts?: WeakMap<object, string>
}

/** Makes the member of an object that has this name. By default it is a member of the value, too. */
export function jsonMember<T>(
  name: string,
  schema: JsonWriter<any, unknown>,
  of: (value: T) => unknown = (value) => value[name as keyof T],
): JsonMember<T> {
  return { name, text: `${printJson(name)}:`, schema, of }
}

/** Makes the place in an object where all members of another object are. */
export function inlined<T, U>(
  schema: JsonWriter<U, unknown>,
  of: (value: T) => U,
  texts?: WeakMap<object, string>,
): JsonMember<T> {
  return { name: undefined, text: "", schema, of, ...(texts && { texts }) }
}

/** One description of a value, from which its TypeScript type, its JSON and a JSON Schema are derived. */
export interface Schema<T, J = Json> extends JsonWriter<T, J> {
  /** Reads a value from JSON. Throws `codec.bad_json` with the path of the wrong member. */
  fromJson(json: unknown, as: TextFormat, path?: string): T
}

/** A schema that also reads and writes bytes. */
export interface Codec<T, J = Json> extends Schema<T, J> {
  /** The minimum size in bytes, by which a list refuses an impossible length. */
  readonly minSize: number
  /** True if the value consists of parts that are traced themselves. */
  readonly composite?: boolean
  /** The size in bytes if the value is hex. Lists of thousands are then written in one piece. */
  readonly hexSize?: number
  read(r: Reader): T
  write(w: Writer, value: T): void
}

/** The TypeScript type that a schema describes. */
export type TypeOf<S> = S extends JsonWriter<infer T, infer _> ? T : never

/** The TypeScript type of the JSON that a schema writes. */
export type JsonOf<S> = S extends JsonWriter<infer _, infer J> ? J : never

/** Returns the path of a member inside another. */
export function inside(path: string | undefined, member: string | number): string {
  return path === undefined || path === "" ? `${member}` : `${path}.${member}`
}
