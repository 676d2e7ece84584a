import type { Json } from "../lib/json.js"
import type { MaybeWork } from "../lib/work.js"
import type { Reader } from "./reader.js"
import type { Writer } from "./writer.js"

/** The form of IDs and addresses in JSON. Without an HRP, addresses are written as cb58. */
export interface TextFormat {
  readonly hrp?: string
  /** A cache of texts: returns the text of an ID or address of this kind, and calls `spell` if it does not have it. */
  recall?(kind: string, value: string, spell: () => string): string
}

/** A JSON Schema (draft 2020-12), as far as we use it. */
export type JsonSchema = { readonly [key: string]: Json }

/** Writes values as JSON, with a JSON Schema for the docs. `J` is the TypeScript type of the JSON. */
export interface JsonWriter<T, J = Json> {
  readonly jsonSchema: JsonSchema
  /** The whole schema for clients, where `jsonSchema` describes the value in words because the schema has many pages. */
  readonly wholeSchema?: JsonSchema
  toJson(value: T, as: TextFormat): J
  /** Writes the text of that JSON without making it first. Use `printerOf`; replace `toJson` and `print` together or not at all. */
  print?(value: T, as: TextFormat): string
  /** Writes the same text in steps if the value has parts. Use `printInSteps`; replace it together with `print`. */
  printSteps?(value: T, as: TextFormat): MaybeWork<string>
}

/** One description of a value. From it: its TypeScript type, its JSON, and a JSON Schema for the docs. */
export interface Schema<T, J = Json> extends JsonWriter<T, J> {
  /** Throws `codec.bad_json` with the path of the member that is wrong. */
  fromJson(json: unknown, as: TextFormat, path?: string): T
}

/** A schema that also has bytes. */
export interface Codec<T, J = Json> extends Schema<T, J> {
  /** The fewest bytes it can take: lets a list refuse a length that cannot be true. */
  readonly minSize: number
  /** True if the value is made of parts that report themselves when a read is traced. */
  readonly composite?: boolean
  /** Known where the value is hex: its bytes. Lists of thousands are then written in one piece. */
  readonly hexSize?: number
  read(r: Reader): T
  write(w: Writer, value: T): void
}

/** The TypeScript type that a schema describes. */
export type TypeOf<S> = S extends JsonWriter<infer T, infer _> ? T : never

/** The TypeScript type of the JSON that a schema writes. */
export type JsonOf<S> = S extends JsonWriter<infer _, infer J> ? J : never

/** The path of a member inside another. */
export function inside(path: string | undefined, member: string | number): string {
  return path === undefined || path === "" ? `${member}` : `${path}.${member}`
}
