import type { JsonOf, TypeOf } from "../core/codec/schema.js"
import type { Json } from "../core/lib/json.js"
import type { ChargedPace } from "../core/lib/pace.js"
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
  /** How long an answer holds for the same parameters. The server sends it again meanwhile. By default no answer is sent again. */
  readonly lifetime?: Lifetime<ObjectValue<M>, C, TypeOf<S>>
  /** True if AvalancheGo has no such method. Then unknown parameters are refused; methods of AvalancheGo ignore them. */
  readonly isExtension?: boolean
  /** The only dialect that has the method. By default both have it. */
  readonly onlyIn?: Dialect
  readonly examples: readonly Example[]
  /**
   * Returns a value of the result's type. A handler that may hold the event loop for more than some milliseconds is an `async` function that
   * pauses between its pieces. Throws `Invalid`.
   */
  readonly handler: (params: ObjectValue<M>, context: C, call: HandledCall) => HandlerResult<S> | Promise<HandlerResult<S>>
}

/** How long an answer holds: as long as nothing has changed that it depends on. */
export interface Lifetime<P, C, R = unknown> {
  /** The kind of lifetime, by which metrics count. */
  readonly kind: string
  /** The end of the sentence "An answer holds …" in the docs. */
  readonly summary: string
  /** Returns a text of the present moment. An answer of the same moment holds. It is called for every call, so it must be short work. */
  moment(params: P, context: C): string
  /** Returns a text of all that the answer depends on besides its parameters. An answer with the same text holds at other moments, too. */
  stamp?(params: P, context: C): string
  /** Returns whether a result may be sent again at all. By default every result may. */
  keeps?(result: R): boolean
  /** The time of the clock from which on a result is another one; `undefined` if it does not depend on the clock. Unix seconds. */
  readonly clock?: { now(context: C): bigint; changesAt(result: R): bigint | undefined }
}

/** The source of a call. */
export interface CallSource {
  /** The address at which the client reached the server, such as `http://127.0.0.1:9650`; omitted for a call within the process. */
  readonly serverUrl?: string
}

/** A call that a handler answers. */
export interface HandledCall extends CallSource {
  /** The pace of the handler's work, which the client pays for. */
  readonly pace: ChargedPace
}

/** A value of a result, or its JSON where a handler prints it faster than its schema does. */
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
