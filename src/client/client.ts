import {
  type CallTo,
  createClient,
  createJsonClient,
  functionsOf,
  httpTransport,
  type JsonCall,
  type Transport,
} from "../jsonrpc/client.js"
import table from "./methods.json" with { type: "json" }
import type { Calls, Methods } from "./methodTypes.js"
import { nodeAddress } from "./nodeAddress.js"

/** The name of any method: `platform.getHeight`. */
export type MethodName = keyof Methods

/** Parameters of a method. */
export type ParamsOf<N extends MethodName> = Methods[N]["params"]

/** Result of a method. 64-bit integers, such as amounts and heights, are bigints. */
export type AnswerOf<N extends MethodName> = Methods[N]["answer"] | (Methods[N] extends { readonly json: infer J } ? J : never)

/** Calls a method by its name, with its own parameters and answer. */
export type Call = CallTo<Methods>

/** The methods of one service as functions: `dev.advanceTime({ seconds: 60 })`. */
export type ServiceCalls<S extends keyof Calls> = Calls[S]

/** Makes the functions of one service over a client. */
export function serviceOf<const S extends keyof Calls>(service: S, call: Call): ServiceCalls<S> {
  return functionsOf(table, service, call as JsonCall) as unknown as ServiceCalls<S>
}

/** Creates a client of a node over any transport. */
export function nodeClient(transport: Transport): Call {
  return createClient(table, transport)
}

/** Creates a client of a node over any transport that returns results as the node wrote them. */
export function nodeJsonClient(transport: Transport): JsonCall {
  return createJsonClient(table, transport)
}

/** Creates a client of a node at an address, such as http://127.0.0.1:9650. Throws `client.bad_address`. */
export function httpClient(url: string): Call {
  return nodeClient(httpTransport(nodeAddress(url)))
}
