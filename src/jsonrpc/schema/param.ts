import type { Schema, Spelling } from "../../core/codec/schema.js"
import type { Invalid } from "../../core/lib/invalid.js"
import { rpcError } from "../errors.js"

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
export type AnyParam = Param<any, any>
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
