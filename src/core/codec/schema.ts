import type { Json } from "../lib/json.js"
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
  toJson(value: T, as: TextFormat): J
  /** Prints the JSON text without making the JSON first. Use `printerOf`. Override both `toJson` and `print`, or neither. */
  print?(value: T, as: TextFormat): string
  /** Prints the same text in parts, if the value may be long. Use `printParts`. Override it together with `print`. */
  printParts?(value: T, as: TextFormat): Iterable<string>
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
