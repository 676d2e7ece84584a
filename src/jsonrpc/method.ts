import type { JsonOf, TypeOf } from "../core/codec/schema.js"
import type { Json } from "../core/lib/json.js"
import type { Work } from "../core/lib/work.js"
import type { PrintedJson } from "./printedJson.js"
import type { AnyOutput, Dialect, Members, ObjectInput, ObjectParam, ObjectValue } from "./schema/param.js"

/** A call and its answer for the docs. A test runs it. */
export interface Example {
  /** The title, if the example needs one. */
  readonly title?: string
  readonly params: { readonly [name: string]: Json }
  readonly result: Json
}

/**
 * One method of an API: its name, parameters, result and handler. `S` is the schema of its result, `C` the context that its handler
 * receives.
 */
export interface Method<M extends Members, S extends AnyOutput, C> {
  /** The full name with its service: `platform.getHeight`. */
  readonly name: string
  readonly summary: string
  /** The name of the method that replaces this one, for the description. */
  readonly deprecated?: string
  readonly params: ObjectParam<M>
  /** The schema that types, prints and describes the result. */
  readonly result: S
  /**
   * The minimum cost of a call, in units of the rate limit; 1 by default. A unit is one millisecond of the event loop, and all used units
   * are charged.
   */
  readonly cost?: number
  /** True if the method is refused on a public server, because it reports about this particular node. */
  readonly nodeSpecific?: boolean
  /** `refused` if pages of foreign origins may not call the method, because it changes the chain. */
  readonly foreignOrigins?: "refused"
  /**
   * The condition under which the JSON of a result is sent again for the same parameters in the same state. By default no result is reused.
   */
  readonly reuse?: Reuse<S, C>
  /** True if AvalancheGo has no such method. Then unknown parameters are refused; methods of AvalancheGo ignore them. */
  readonly isExtension?: boolean
  /** The only dialect that has the method. By default both have it. */
  readonly onlyIn?: Dialect
  readonly examples: readonly Example[]
  /**
   * Returns a value of the result's type. A handler that may hold the event loop for more than some milliseconds is a generator that yields
   * between its steps. Throws `Invalid`.
   */
  readonly handler: (
    params: ObjectValue<M>,
    context: C,
    source: CallSource,
  ) => HandlerResult<S> | Promise<HandlerResult<S>> | Work<HandlerResult<S>>
}

/** Condition under which the JSON of a result is sent again for the same parameters in the same state. */
export interface Reuse<S extends AnyOutput, C> {
  /**
   * Returns a text of everything besides parameters and state that the result depends on, such as the clock. By default the result depends
   * on nothing else. `params` is the JSON text of the parameters.
   */
  readonly dependsOn?: (context: C, params: string) => string
  /** Returns whether a result stays valid until the state changes. By default every result does. */
  readonly holds?: (result: TypeOf<S>) => boolean
}

/** Reuse for results that depend only on the parameters and the state. */
export const ofState = {} as const

/** The source of a call. */
export interface CallSource {
  /** The address at which the client reached the server, such as `http://127.0.0.1:9650`; omitted for a call within the process. */
  readonly serverUrl?: string
}

/** A value of a result, or its JSON. */
type HandlerResult<S extends AnyOutput> = TypeOf<S> | PrintedJson

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike methods
export type AnyMethod = Method<any, any, any>

/** The parameters of a method as a caller writes them. */
export type InputOf<T> = T extends Method<infer M, infer _S, infer _C> ? ObjectInput<M> : never

/** The result of a method as JSON. */
export type ResultOf<T> = T extends Method<infer _M, infer S, infer _C> ? JsonOf<S> : never

/**
 * Returns the function that declares the methods of one service, whose handlers receive a `C`: `const method = methodWith<Context>()`. The
 * types of parameters and result come from their schemas.
 */
export function methodWith<C>() {
  return <const N extends string, const M extends Members, S extends AnyOutput>(
    definition: Method<M, S, C> & { readonly name: N },
  ): Method<M, S, C> & { readonly name: N } => definition
}
