import { codecError } from "./errors.js"
import type { Reader } from "./reader.js"
import {
  type Codec,
  inside,
  type JsonOf,
  type JsonSchema,
  type JsonSink,
  type JsonWriter,
  jsonMember,
  type Schema,
  type TextFormat,
  type TypeOf,
} from "./schema.js"
import type { Writer } from "./writer.js"

export type Fields = Readonly<Record<string, Codec<any, any>>>
export type ValueOf<F extends Readonly<Record<string, Schema<any, any>>>> = { readonly [K in keyof F]: TypeOf<F[K]> }
/** The TypeScript type of the JSON of these members. */
export type JsonOfMembers<F extends Readonly<Record<string, JsonWriter<any, any>>>> = { readonly [K in keyof F]: JsonOf<F[K]> }

/** A member that only JSON has. It is not read back, because the bytes determine it. */
export type JsonOnly = JsonWriter<any, any>
/** Members that only JSON has, by name. */
export type JsonOnlyMembers = Readonly<Record<string, JsonOnly>>

/** The members of a structure whose JSON has no others than its fields. */
export type NoMembers = Readonly<Record<never, never>>

/** Differences between the JSON and the bytes of a struct. */
export interface StructJson<A extends JsonOnlyMembers = JsonOnlyMembers> {
  /** The order of the members in JSON, if it differs from that of the bytes. */
  readonly order?: readonly string[]
  /** Members that only JSON has. `order` gives their position. */
  readonly also?: A
}

export interface Struct<F extends Fields, A extends JsonOnlyMembers = NoMembers> extends Codec<ValueOf<F>, JsonOfMembers<F & A>> {
  /** The fields, so that other structures can spread them. */
  readonly fields: F
  /** The names of the members in JSON, which identify the kind. */
  readonly members: readonly string[]
}

/** Makes the codec of a structure with these fields in this order, in bytes and (unless `json` changes it) in JSON. */
export function struct<F extends Fields, A extends JsonOnlyMembers = NoMembers>(
  fields: F,
  json: StructJson<A> = {},
): Struct<F, A> {
  return structOf<F, A>(undefined, fields, json)
}

/** Makes the codec of a structure with a `kind` in TypeScript. The kind has no bytes of its own here. */
export function structOf<F extends Fields, A extends JsonOnlyMembers>(
  kind: string | undefined,
  fields: F,
  json: StructJson<A>,
): Struct<F, A> {
  const names = Object.keys(fields)
  const codecs = Object.values(fields)
  const faces = jsonFaces(kind, fields, json)
  return {
    ...faces,
    fields,
    composite: true,
    minSize: codecs.reduce((sum, codec) => sum + codec.minSize, 0),
    read: readerOf(kind, names, codecs),
    write: writerOf(names, codecs),
  }
}

/** Makes the reader of one structure: a value with the kind first, then the fields in the order of the bytes. */
function readerOf(kind: string | undefined, names: readonly string[], codecs: readonly Codec<any>[]): (r: Reader) => any {
  return (r) => {
    const { trace } = r
    const out: any = kind === undefined ? {} : { kind }
    for (let i = 0; i < names.length; i++) {
      const [name, codec] = [names[i] as string, codecs[i] as Codec<any>]
      out[name] = trace === undefined ? codec.read(r) : trace.part(r, codec, name)
    }
    return out
  }
}

function writerOf(names: readonly string[], codecs: readonly Codec<any>[]): (w: Writer, value: any) => void {
  return (w, value) => {
    for (let i = 0; i < names.length; i++) codecs[i]!.write(w, value[names[i] as string])
  }
}

/** Makes the JSON functions of a structure, from codecs or from schemas without bytes. */
function jsonFaces<F extends Readonly<Record<string, Schema<any, any>>>>(kind: string | undefined, fields: F, json: StructJson) {
  const also = json.also ?? {}
  const members = json.order ?? [...Object.keys(fields), ...Object.keys(also)]
  const parts: Readonly<Record<string, Schema<any, any> | JsonOnly>> = { ...fields, ...also }
  const required = Object.keys(fields)
  const jsonSchema: JsonSchema = {
    type: "object",
    ...(kind === undefined ? {} : { title: kind }),
    properties: Object.fromEntries(members.map((name) => [name, parts[name]!.jsonSchema])),
    required: members,
    additionalProperties: false,
  }
  const written = members.map((name) => jsonMember<any>(name, parts[name]!, name in also ? (value) => value : undefined))
  return {
    jsonSchema,
    members,
    writeJson: (sink: JsonSink, value: any, as: TextFormat) => sink.object(written, value, as),
    fromJson(given: unknown, as: TextFormat, path?: string): any {
      const object = objectOf(given, path)
      for (const name in object) {
        if (!Object.hasOwn(parts, name)) throw codecError("codec.unknown_member", { path: inside(path, name) })
      }
      const out: any = kind === undefined ? {} : { kind }
      for (const name of required) {
        if (!Object.hasOwn(object, name)) throw codecError("codec.missing_member", { path: inside(path, name) })
        out[name] = fields[name]!.fromJson(object[name], as, inside(path, name))
      }
      return out
    },
  }
}

/** Returns the value as a JSON object. Throws `codec.bad_json` if it is not one. */
export function objectOf(json: unknown, path: string | undefined): Readonly<Record<string, unknown>> {
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as Record<string, unknown>
  throw codecError("codec.bad_json", { path: path ?? "", expected: "an object" })
}
