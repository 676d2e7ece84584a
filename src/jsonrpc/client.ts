import type { JsonSchema } from "../core/codec/schema.js"
import { bodyText } from "../core/lib/bodyChunks.js"
import { foldedName } from "../core/lib/go/goText.js"
import { Invalid, refusals, valueOrThrow } from "../core/lib/invalid.js"
import { type Json, printJson } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { answerOf } from "./answer.js"
import { unknownParam } from "./schema/param.js"

/** The types of a method's parameters and answer. If the answer has two forms, `json` is that of the encoding `json`. */
export interface MethodTypes {
  readonly params: object
  readonly answer: unknown
  readonly json?: unknown
}

/** The arguments of a call with an encoding `E`: the parameters, which may be omitted if none of them is required. */
export type ArgsOf<T extends MethodTypes, E> =
  Record<never, never> extends T["params"] ? [params?: ParamsIn<T, E>] : [params: ParamsIn<T, E>]
type ParamsIn<T extends MethodTypes, E> = T extends { readonly json: unknown }
  ? T["params"] & { readonly encoding?: E }
  : T["params"]

/** The answer in the encoding `E`. */
export type AnswerIn<T extends MethodTypes, E> = T extends { readonly json: infer J }
  ? "json" extends E
    ? J | (E extends "json" ? never : T["answer"])
    : T["answer"]
  : T["answer"]

/** Calls a method by its name, with its own parameters and answer. If an answer has two forms, `encoding` selects one. */
export type CallTo<M extends { readonly [N in keyof M]: MethodTypes }> = <N extends keyof M, const E extends string = "hex">(
  method: N,
  ...params: ArgsOf<M[N], E>
) => Promise<AnswerIn<M[N], E>>

/** What a client knows of the methods that it calls. It is a table and not the methods, so that a client contains no handler. */
export interface MethodTable {
  /** The path of each service. */
  readonly paths: Readonly<Record<string, string>>
  /** The names of each method's parameters, and the schema of its result as far as it leads to integers. */
  readonly methods: Readonly<Record<string, { readonly params: readonly string[]; readonly result?: JsonSchema }>>
  /** The schemas that others refer to by their place in this list. */
  readonly schemas: readonly JsonSchema[]
}

/** The methods of one service as functions over a client. */
export function functionsOf({ methods }: MethodTable, service: string, call: JsonCall): Readonly<Record<string, unknown>> {
  const functions = Object.keys(methods)
    .filter((method) => method.startsWith(`${service}.`))
    .map((method) => [method.slice(service.length + 1), (params?: unknown) => call(method, params)])
  return Object.fromEntries(functions)
}

/** Errors of a call besides those that the node returns. */
export const callError = refusals({
  "rpc.call_failed": { sentence: "the node refused the call", avalanchegoMessage: ({ message }) => String(message) },
  "rpc.unreachable": "no node answers there; is it running, and is this its address?",
  "rpc.answer_unbounded": "the response is larger than any answer of a node",
  "rpc.bad_answer": "the answer does not have the form that this method promises",
  "rpc.no_answer": "the response is not a JSON-RPC response",
  "rpc.no_service": "the name of a method begins with its service",
})

/**
 * The node refused a call. `code` is the code that the node gave (`rules.stake_too_short`), or `rpc.call_failed` if it gave none, as in
 * AvalancheGo's dialect; `message` is the node's sentence with its data; `data` has the method and JSON-RPC's error number beside the
 * node's data.
 */
class RpcCallError extends Invalid {
  constructor(method: string, { code: rpcCode, message, data }: ErrorAnswer) {
    const { code, ...rest } = (data ?? {}) as { readonly code?: string }
    super(code ?? "rpc.call_failed", { sentence: message }, { method, rpcCode, ...rest })
    this.message = message
  }
}

interface ErrorAnswer {
  readonly code: number
  readonly message: string
  readonly data?: Json
}

/** Sends a request to a path and returns the body of the answer. */
export type Transport = (path: string, body: string) => Promise<string>

/** Calls a method by its name and returns the result as the node wrote it. Throws `RpcCallError` if the node refuses the call. */
export type JsonCall = (method: string, params?: unknown) => Promise<Json>

/** Creates a client over any transport that returns results as the node wrote them. */
export function createJsonClient({ paths }: MethodTable, transport: Transport): JsonCall {
  let id = 0
  return async (method, params) => {
    const request = { jsonrpc: "2.0", id: ++id, method, params: (params ?? {}) as Json }
    const path = paths[method.split(".", 1)[0] as string] ?? (Object.values(paths)[0] as string)
    return resultIn(await transport(path, printJson(request)), method)
  }
}

/**
 * Creates a client over any transport. It returns 64-bit integers as bigints, and throws `RpcCallError` if the node refuses a call. A parameter
 * that the method does not have is refused with `rpc.unknown_param` and not sent, because the node may ignore it as AvalancheGo does.
 */
export function createClient<M extends { readonly [N in keyof M]: MethodTypes }>(
  table: MethodTable,
  transport: Transport,
): CallTo<M> {
  const jsonCall = createJsonClient(table, transport)
  const call = async (name: string, params: unknown) => {
    const method = Object.hasOwn(table.methods, name) ? table.methods[name] : undefined
    if (!name.includes(".")) {
      throw callError("rpc.no_service", {
        method: name,
        didYouMean: Object.keys(table.methods).find((each) => each.endsWith(`.${name}`)),
      })
    }
    if (method && isObject(params)) checkNames(params, method.params)
    const json = await jsonCall(name, params)
    try {
      return answerOf(json, method?.result ?? {}, table.schemas)
    } catch (error) {
      // A text that is no integer, where the method promises one.
      if (error instanceof SyntaxError) throw callError("rpc.bad_answer", { method: name, reason: error.message })
      throw error
    }
  }
  return call as CallTo<M>
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value)

/** Names are compared in any letter case, as the node does. */
function checkNames(given: object, known: readonly string[]): void {
  const folded = known.map(foldedName)
  for (const name of Object.keys(given)) if (!folded.includes(foldedName(name))) throw unknownParam(name, name, known)
}

/** The size of the largest answer that a node gives, bytes. */
const MAX_ANSWER = 512 << 20

/** Returns a transport that sends requests to a node over HTTP. `signal` aborts them. Redirections are refused. */
export function httpTransport(url: string, signal?: AbortSignal): Transport {
  const headers = { "content-type": "application/json" }
  return async (path, body) => {
    try {
      const response = await fetch(url + path, { method: "POST", headers, body, signal: signal ?? null, redirect: "error" })
      const text = await bodyText(response.body, MAX_ANSWER, signal)
      if (text !== undefined) return text
    } catch (error) {
      throw callError("rpc.unreachable", { url, reason: reasonOf(error) })
    }
    throw callError("rpc.answer_unbounded", { url, most: MAX_ANSWER })
  }
}

/** Why `fetch` failed. Its own message is the same for all causes. */
export function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && cause.message !== "" ? cause.message : message
}

/** The number of characters of a wrong answer that an error shows. */
const SHOWN = 100

function resultIn(body: string, method: string): Json {
  const noJson = () => callError("rpc.no_answer", { method, answer: body.slice(0, SHOWN) })
  const answer = valueOrThrow(() => parseJson(body), noJson) as { readonly result?: Json; readonly error?: ErrorAnswer }
  if (answer?.error) throw new RpcCallError(method, answer.error)
  if (answer?.result === undefined) throw callError("rpc.no_answer", { method })
  return answer.result
}
