import type { Json } from "../core/lib/json.js"
import type { Answer } from "../jsonrpc/answer.js"
import type { AnswerIn, ArgsOf } from "../jsonrpc/client.js"
import type { InputOf, ResultOf } from "../jsonrpc/method.js"
import type { ServiceName, services } from "./services.js"

type ListedMethod = (typeof services)[ServiceName]["methods"][number]
type MethodNamed<N> = Extract<ListedMethod, { readonly name: N }>

/**
 * The types of all methods by their names: `platform.getHeight`. Answers have the types of the library: see `Answer`. The declarations of the
 * package have `Methods` and `Calls` written out instead, with the sentences of the API's documentation as comments (scripts/methodTypes.mjs); a
 * test compares both.
 */
export type Methods = {
  readonly [N in ListedMethod["name"]]: TypesOf<InputOf<MethodNamed<N>>, Answer<ResultOf<MethodNamed<N>>>>
}

/** The results of all methods as JSON, by their names. Members that have several forms are text. */
export type JsonResults = { readonly [N in ListedMethod["name"]]: AsText<ResultOf<MethodNamed<N>>> }

/** The methods of each service as functions: `dev.advanceTime({ seconds: 60 })`. */
export type Calls = {
  readonly [S in ServiceName]: {
    readonly [N in keyof Methods as N extends `${S}.${infer Short}` ? Short : never]: <const E extends string = "hex">(
      ...params: ArgsOf<Methods[N], E>
    ) => Promise<AnswerIn<Methods[N], E>>
  }
}

type TypesOf<P, A> = true extends { readonly [K in keyof A]: IsEither<A[K]> }[keyof A]
  ? { readonly params: P; readonly answer: AsText<A>; readonly json: AsJson<A> }
  : { readonly params: P; readonly answer: A }

/** An answer whose members that are text in one encoding and an object in another are typed as objects. */
type AsJson<A> = { readonly [K in keyof A]: IsEither<A[K]> extends true ? Exclude<A[K], string> : A[K] }
/** An answer whose members that are text in one encoding and an object in another are typed as text. */
type AsText<A> = { readonly [K in keyof A]: IsEither<A[K]> extends true ? Extract<A[K], string> : A[K] }
type IsEither<M> = Json extends M
  ? false
  : [Extract<M, string>] extends [never]
    ? false
    : [Extract<M, object>] extends [never]
      ? false
      : true
