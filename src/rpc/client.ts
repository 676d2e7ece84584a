import { refusals } from "../core/lib/invalid.js"
import { type Json, parseJson, printJson } from "../core/lib/json.js"
import { type Interface, interfaces } from "./interfaces.js"
import type { InputOf, ResultOf } from "./method.js"

type AnyListed = (typeof interfaces)[keyof typeof interfaces]["methods"][number]

/** The name of any method: `platform.getHeight`. */
export type MethodName = AnyListed["name"]

type Named<N extends MethodName> = Extract<AnyListed, { readonly name: N }>

/** What a method takes. */
export type ParamsOf<N extends MethodName> = InputOf<Named<N>>

/** What a method answers. */
export type AnswerOf<N extends MethodName> = ResultOf<Named<N>>

/** Calls a method by its name, with its own parameters and answer. */
export type Call = <N extends MethodName>(method: N, params?: ParamsOf<N>) => Promise<AnswerOf<N>>

/** The methods of one service as functions: `dev.advanceTime({ seconds: 60 })`. */
export type ServiceCalls<S extends string> = {
  readonly [N in MethodName as N extends `${S}.${infer Short}` ? Short : never]: (params?: ParamsOf<N>) => Promise<AnswerOf<N>>
}

/** The methods of one service as functions over a client. */
export function serviceOf<const S extends keyof typeof interfaces>(service: S, call: Call): ServiceCalls<S> {
  const methods: readonly { readonly name: string }[] = interfaces[service].methods
  const functions = methods.map(({ name }) => [
    name.slice(service.length + 1),
    (params?: never) => call(name as MethodName, params),
  ])
  return Object.fromEntries(functions)
}

/** What a node answered a call with, where it was not the result. */
export const callError = refusals({
  "rpc.call_failed": { says: "the node refused the call", reference: ({ message }) => String(message) },
  "rpc.no_answer": "what came back is no JSON-RPC answer",
})

/** Carries a request to a path and brings the body of the answer back. */
export type Transport = (path: string, body: string) => Promise<string>

/** A client over any transport. Integers past 2^53 come back as bigints; a refusal throws `rpc.call_failed` with its code and data. */
export function createClient(transport: Transport): Call {
  let id = 0
  return async (method, params) => {
    const request = { jsonrpc: "2.0", id: ++id, method, params: (params ?? {}) as Json }
    const body = await transport(pathOf(method), printJson(request))
    return resultIn(body, method) as never
  }
}

/** A client of a node elsewhere. */
export function httpClient(url: string): Call {
  return createClient(async (path, body) => {
    const response = await fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body })
    return response.text()
  })
}

function pathOf(method: string): string {
  const service = method.split(".", 1)[0] as string
  const found = Object.values<Interface>(interfaces).find((each) => each.service === service)
  return found?.paths[0] ?? "/ext/bc/P"
}

function resultIn(body: string, method: string): unknown {
  const answer = parseJson(body) as { readonly result?: Json; readonly error?: { message: string; code: number; data: Json } }
  if (answer?.error) {
    const { message, code, data } = answer.error
    throw callError("rpc.call_failed", { method, message, rpcCode: code, ...(data as object | null) })
  }
  if (answer?.result === undefined) throw callError("rpc.no_answer", { method })
  return answer.result
}
