import type { Json } from "../lib/json.js"
import type { Reader } from "./reader.js"
import type { Writer } from "./writer.js"

/** What JSON needs to know and bytes do not: how this network spells an address. Without HRP it is spelled as bare cb58. */
export interface Spelling {
  readonly hrp?: string
  /** For whoever spells much: the text of an ID or address of this kind, remembered or spelled now. The same few recur. */
  recall?(kind: string, value: string, spell: () => string): string
}

/** A JSON Schema (draft 2020-12), as far as we use it. */
export type JsonSchema = { readonly [key: string]: Json }

/** How a value is written as JSON, and a JSON Schema of that for the docs. `J` is the TypeScript type of the JSON. */
export interface Output<T, J = Json> {
  readonly jsonSchema: JsonSchema
  toJson(value: T, as: Spelling): J
  /** Writes the text of that JSON without making it first. Use `printerOf`; replace `toJson` and `print` together or not at all. */
  print?(value: T, as: Spelling): string
}

/** One description of a value. From it: its TypeScript type, its JSON, and a JSON Schema for the docs. */
export interface Schema<T, J = Json> extends Output<T, J> {
  /** Throws `codec.bad_json` with the path of the member that is wrong. */
  fromJson(json: unknown, as: Spelling, path?: string): T
}

/** A schema that also has bytes. */
export interface Codec<T, J = Json> extends Schema<T, J> {
  /** The fewest bytes it can take: lets a list refuse a length that cannot be true. */
  readonly minSize: number
  /** True where the value is made of parts that report themselves when a read is traced. */
  readonly composite?: boolean
  /** Known where the value is hex: its bytes. Lists of thousands are then written in one piece. */
  readonly hexSize?: number
  read(r: Reader): T
  write(w: Writer, value: T): void
}

/** The TypeScript type that a schema describes. */
export type TypeOf<S> = S extends Output<infer T, infer _> ? T : never

/** The TypeScript type of the JSON that a schema writes. */
export type JsonOf<S> = S extends Output<infer _, infer J> ? J : never

/** The path of a member inside another. */
export function inside(path: string | undefined, member: string | number): string {
  return path === undefined || path === "" ? `${member}` : `${path}.${member}`
}
