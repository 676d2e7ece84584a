import type { JsonResults, Methods } from "../../client/methodTypes.js"

/** A JSON value. Integers past 2^53 are bigints. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json }

/** An error object that the node answered. */
export class RpcError extends Error {
  readonly code: string
  /** The values that the message names, and the code. */
  readonly data: Readonly<Record<string, Json>>

  constructor(message: string, data: Json) {
    super(message)
    this.data = data !== null && typeof data === "object" && !Array.isArray(data) ? (data as Record<string, Json>) : {}
    this.code = typeof this.data.code === "string" ? this.data.code : ""
  }
}

/** The node did not answer at all, or something else than the node did. */
export class Unreachable extends Error {}

/** Calls a method of the node that served this page. Throws `RpcError` or `Unreachable`. */
export async function call<T>(path: string, method: string, params: object = {}): Promise<T> {
  const { result, error } = readReply(await post(path, printJson({ jsonrpc: "2.0", id: 1, method, params: params as Json })))
  if (error) throw new RpcError(error.message, error.data ?? null)
  return result as T
}

interface Reply {
  readonly result?: unknown
  readonly error?: { readonly message: string; readonly data?: Json }
}

/** Posts a body to a path of the node and returns the text of the answer. */
export async function post(path: string, body: string): Promise<string> {
  const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => {
    throw new Unreachable("the node does not answer")
  })
  if (response.status >= 500 || response.status === 404) throw new Unreachable(`the node answers ${response.status}`)
  return response.text()
}

function readReply(text: string): Reply {
  try {
    return parseJson(text) as Reply
  } catch {
    throw new Unreachable(text.slice(0, 200))
  }
}

/** Parses JSON and keeps integers exact. Browsers since 2025 pass the source text of a number; older ones round it. */
export function parseJson(text: string): Json {
  return JSON.parse(text, (_key, value, context?: { readonly source?: string }) => {
    const isRounded = typeof value === "number" && !Number.isSafeInteger(value)
    return isRounded && context?.source !== undefined && /^-?\d+$/.test(context.source) ? BigInt(context.source) : value
  })
}

/** Prints a value as JSON; a bigint becomes its digits. */
export function printJson(value: Json, indent = 0): string {
  const marked = JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? `\u0000${each}` : each), indent)
  return marked.replace(/"\\u0000(-?\d+)"/g, "$1")
}

/** The result of a method of the P-Chain, as JSON. */
export type ResultOf<M extends ShortName<"platform">> = JsonResults[FullName<"platform", M>]
/** The result of a method of the private chain, as JSON. */
export type DevResultOf<M extends ShortName<"dev">> = JsonResults[FullName<"dev", M>]

/** The names of the methods of a service without that of the service. */
type ShortName<S extends string> = keyof { readonly [N in keyof JsonResults as N extends `${S}.${infer M}` ? M : never]: N } &
  string
type FullName<S extends string, M extends string> = Extract<keyof JsonResults & keyof Methods, `${S}.${M}`>

const callsTo =
  <S extends string>(service: S, path: string) =>
  <M extends ShortName<S>>(method: M, params?: Methods[FullName<S, M>]["params"]): Promise<JsonResults[FullName<S, M>]> =>
    call(path, `${service}.${method}`, params)

/** Calls a method of the P-Chain. */
export const platform = callsTo("platform", "/ext/bc/P")

/** Calls a method about the node. */
export const info = callsTo("info", "/ext/info")

/** Calls a method of the private chain. */
export const dev = callsTo("dev", "/ext/dev")
