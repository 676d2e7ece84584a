import type { JsonOf, JsonSchema, JsonWriter, Schema, TextFormat, TypeOf } from "../../core/codec/schema.js"
import type { Invalid } from "../../core/lib/invalid.js"
import type { Json } from "../../core/lib/json.js"
import { nearest } from "../../core/lib/nearest.js"
import { rpcError } from "../errors.js"

/** The dialect of an answer: Serac's contract, or AvalancheGo's exact answers. */
export type Dialect = "contract" | "avalanchego"

/** The context in which a parameter is read. */
export interface ParseContext extends TextFormat {
  /** The dialect; `contract` by default. */
  readonly dialect?: Dialect
  /** `refused` where an object may have no other members than those of its schema; else they are ignored. */
  readonly unknownMembers?: "refused"
}

/**
 * A schema that parameters and results share: `T` is the value of a handler, `I` the input of a caller, `J` the written JSON. Input JSON
 * has integers in plain digits as bigints and all other numbers as numbers, so that `1.0` and `1e3` can be refused.
 */
export interface Param<T, I = unknown, J = Json> extends Schema<T, J> {
  /** Describes the accepted input, if that is more than the written JSON. */
  readonly inputSchema?: JsonSchema
  /** The value of a missing parameter in AvalancheGo: the zero of its type. */
  readonly zero: T
  /** True if "" counts as missing, for parameters that may be missing (`contract` only). */
  readonly emptyIsMissing?: boolean
  /** The value of a missing parameter, if it may be missing. */
  readonly whenMissing?: { readonly value: T }
  /** True if null clears the value of an earlier duplicate member; otherwise null has no effect. */
  readonly nullEmpties?: boolean
  /** Reads a parameter. Throws `rpc.bad_param` with the path of the wrong member. */
  fromJson(json: unknown, as: ParseContext, path?: string): T
  /** Never has a value; it only carries the type `I`. */
  readonly input?: (given: I) => void
}

/** A parameter that may be omitted. */
export type Optional<T, I = unknown, J = Json> = Param<T, I, J> & { readonly whenMissing: { readonly value: T } }

/** A member of a result that may be omitted. */
export type OptionalOutput<T, J> = JsonWriter<T | undefined, J | undefined> & { readonly isOptional: true }

// biome-ignore lint/suspicious/noExplicitAny: types are made from values here
export type AnyParam = Param<any, any, any>
// biome-ignore lint/suspicious/noExplicitAny: types are made from values here
export type AnyOutput = JsonWriter<any, any>
export type Members = Readonly<Record<string, AnyParam>>
export type Outputs = Readonly<Record<string, AnyOutput>>
type InputOf<S> = S extends { readonly input?: (given: infer I) => void } ? I : never
type Flat<T> = { readonly [K in keyof T]: T[K] }
/** The members that may be omitted when a value is made: those whose type includes `undefined`. */
type OptionalKeys<M extends Outputs> = { [K in keyof M]: undefined extends TypeOf<M[K]> ? K : never }[keyof M]
/** The members that a caller may omit: optional ones, and those with a default. */
type OmittableKeys<M extends Members> = { [K in keyof M]: M[K] extends { readonly whenMissing: unknown } ? K : never }[keyof M]

/** The value of an object with these members, as a handler gets or returns it. */
export type ObjectValue<M extends Outputs> = Flat<
  { readonly [K in Exclude<keyof M, OptionalKeys<M>>]: TypeOf<M[K]> } & {
    readonly [K in OptionalKeys<M>]?: TypeOf<M[K]>
  }
>

/** The JSON of an object with these members. */
export type ObjectJson<M extends Outputs> = Flat<
  { readonly [K in Exclude<keyof M, OptionalKeys<M>>]: JsonOf<M[K]> } & {
    readonly [K in OptionalKeys<M>]?: JsonOf<M[K]>
  }
>

/** The input of a caller for an object with these members. */
export type ObjectInput<M extends Members> = Flat<
  { readonly [K in Exclude<keyof M, OmittableKeys<M>>]: InputOf<M[K]> } & {
    readonly [K in OmittableKeys<M>]?: InputOf<M[K]> | null | undefined
  }
>

/** An object parameter, or a method's parameters as a whole. */
export interface ObjectParam<M extends Members> extends Param<ObjectValue<M>, ObjectInput<M>, ObjectJson<M>> {
  readonly members: M
  readonly inputSchema: JsonSchema
  /** Returns whether the object has a member of this name, in any letter case. */
  knows(name: string): boolean
}

/** Returns the JSON Schema of the accepted input of a parameter. */
export function inputSchemaOf({ inputSchema, jsonSchema }: AnyParam): JsonSchema {
  return inputSchema ?? jsonSchema
}

/** The maximum length of a name that is compared with those of parameters: comparing long names would cost a public server too much. */
const MAX_COMPARED = 64

/** Makes the refusal of a member that an object does not have, with the name that was probably meant. */
export function unknownParam(path: string, name: string, known: readonly string[]): Invalid {
  const didYouMean = name.length > MAX_COMPARED ? undefined : nearest(name, known)
  return rpcError(
    "rpc.unknown_param",
    didYouMean === undefined ? { param: path, known: known.join(" ") || "none" } : { param: path, didYouMean },
  )
}

/** Makes the refusal of a parameter that is not as expected. */
export function badParam(path: string | undefined, expected: string, reason?: string): Invalid {
  return rpcError("rpc.bad_param", { param: path ?? "params", expected, ...(reason === undefined ? {} : { reason }) })
}
