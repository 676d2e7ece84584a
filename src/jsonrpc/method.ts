import type { Json } from "../core/lib/json.js"
import type { Work } from "../core/lib/work.js"
import type { Answer } from "./result.js"
import type { Dialect, Members, ObjectInput, ObjectParam, ObjectValue } from "./schema/param.js"

/** A call and its answer, for the docs; run as a test. */
export interface Example {
  /** What it shows, where that is not plain. */
  readonly title?: string
  readonly params: { readonly [name: string]: Json }
  readonly result: Json
}

/** An answer that is already JSON text in UTF-8, in one piece or several: those that answers have in common are not copied. */
export class Raw {
  readonly pieces: readonly Uint8Array[]

  constructor(...pieces: readonly Uint8Array[]) {
    this.pieces = pieces
  }

  /** Bytes. */
  get size(): number {
    return this.pieces.reduce((sum, { length }) => sum + length, 0)
  }
}

/** One method of an API: its name, what it takes, what it answers, and how. `C` is the context that its handler is given. */
export interface Method<M extends Members, R, C> {
  /** With its service: `platform.getHeight`. */
  readonly name: string
  readonly summary: string
  /** What to use instead; said in the description. */
  readonly deprecated?: string
  readonly params: ObjectParam<M>
  readonly result: Answer<R>
  /** The least that a call costs, in units of the rate limit; 1 if left out. A unit is a millisecond, and each one used is charged. */
  readonly cost?: number
  /** Refused in public mode: it speaks of this very node. */
  readonly nodeSpecific?: boolean
  /** `refused` where pages of foreign origins may not call it: it changes the chain. */
  readonly foreignOrigins?: "refused"
  /** Where a dialect lacks the method. */
  readonly onlyIn?: Dialect
  readonly examples: readonly Example[]
  /**
   * The answer as JSON values: a bigint prints as bare digits, a member that is `undefined` does not print. A handler that may hold the
   * event loop for more than some milliseconds is a generator and yields on its way. Throws `Invalid`.
   */
  readonly handler: (params: ObjectValue<M>, context: C) => R | Raw | Promise<R | Raw> | Work<R | Raw>
}

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike methods
export type AnyMethod = Method<any, any, any>

/** What a caller may write as parameters of a method. */
export type InputOf<T> = T extends Method<infer M, infer _R, infer _C> ? ObjectInput<M> : never

/** What a method answers. */
export type ResultOf<T> = T extends Method<infer _M, infer R, infer _C> ? R : never

/**
 * Returns the function that declares the methods of one service, whose handlers are given a `C`: `const method = methodWith<Context>()`.
 * The types of parameters and result come from their schemas.
 */
export function methodWith<C>() {
  return <const N extends string, const M extends Members, R>(
    definition: Method<M, R, C> & { readonly name: N },
  ): Method<M, R, C> & { readonly name: N } => definition
}
