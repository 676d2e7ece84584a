import type { JsonOf, TypeOf } from "../core/codec/schema.js"
import type { Json } from "../core/lib/json.js"
import type { Work } from "../core/lib/work.js"
import type { PrintedJson } from "./printedJson.js"
import type { AnyOutput, Dialect, Members, ObjectInput, ObjectParam, ObjectValue } from "./schema/param.js"

/** A call and its answer, for the docs; run as a test. */
export interface Example {
  /** Title, where the example is not plain without one. */
  readonly title?: string
  readonly params: { readonly [name: string]: Json }
  readonly result: Json
}

/**
 * One method of an API: its name, what it takes, what it answers, and how. `S` is the schema of its result, `C` the context that its
 * handler is given.
 */
export interface Method<M extends Members, S extends AnyOutput, C> {
  /** With its service: `platform.getHeight`. */
  readonly name: string
  readonly summary: string
  /** The replacement of the method, for the description. */
  readonly deprecated?: string
  readonly params: ObjectParam<M>
  /** Types what the handler returns, writes it as JSON, and describes that. */
  readonly result: S
  /** The least that a call costs, in units of the rate limit; 1 if left out. A unit is a millisecond, and each one used is charged. */
  readonly cost?: number
  /** Refused in public mode: it speaks of this very node. */
  readonly nodeSpecific?: boolean
  /** `refused` where pages of foreign origins may not call it: it changes the chain. */
  readonly foreignOrigins?: "refused"
  /** Condition under which the JSON of a result is sent again for the same parameters in the same state; left out: each call makes its own. */
  readonly reuse?: Reuse<S, C>
  /** The only dialect that has the method; both if left out. */
  readonly onlyIn?: Dialect
  readonly examples: readonly Example[]
  /**
   * Returns a value of the result's type. A handler that may hold the event loop for more than some milliseconds is a generator and
   * yields on its way. Throws `Invalid`.
   */
  readonly handler: (params: ObjectValue<M>, context: C, source: CallSource) => Made<S> | Promise<Made<S>> | Work<Made<S>>
}

/** Condition under which the JSON of a result is sent again for the same parameters in the same state. */
export interface Reuse<S extends AnyOutput, C> {
  /** Returns a text of what the result depends on besides its parameters and the state, such as the clock; left out: nothing. */
  readonly dependsOn?: (context: C) => string
  /** Returns whether a result is one that holds until the state changes; left out: all do. */
  readonly holds?: (result: TypeOf<S>) => boolean
}

/** The reuse of results that parameters and state determine. */
export const ofState = {} as const

/** The way a call took to its method. */
export interface CallSource {
  /** The address at which the client reached the server, such as `http://127.0.0.1:9650`; left out for a call within the process. */
  readonly serverUrl?: string
}

/** A value of a result, or its JSON. */
type Made<S extends AnyOutput> = TypeOf<S> | PrintedJson

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike methods
export type AnyMethod = Method<any, any, any>

/** The parameters of a method as a caller writes them. */
export type InputOf<T> = T extends Method<infer M, infer _S, infer _C> ? ObjectInput<M> : never

/** The result of a method as JSON. */
export type ResultOf<T> = T extends Method<infer _M, infer S, infer _C> ? JsonOf<S> : never

/**
 * Returns the function that declares the methods of one service, whose handlers are given a `C`: `const method = methodWith<Context>()`.
 * The types of parameters and result come from their schemas.
 */
export function methodWith<C>() {
  return <const N extends string, const M extends Members, S extends AnyOutput>(
    definition: Method<M, S, C> & { readonly name: N },
  ): Method<M, S, C> & { readonly name: N } => definition
}
