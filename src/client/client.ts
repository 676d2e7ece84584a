import {
  type AnswerFor,
  type CallTo,
  createClient,
  createJsonClient,
  type FunctionsOf,
  functionsOf,
  httpTransport,
  type JsonCall,
  type MethodOf,
  type ParamsFor,
  type Transport,
} from "../jsonrpc/client.js"
import table from "./methods.json" with { type: "json" }
import type { ServiceName, services } from "./services.js"

type Services = typeof services

/** The name of any method: `platform.getHeight`. */
export type MethodName = MethodOf<Services>

/** Parameters of a method. */
export type ParamsOf<N extends MethodName> = ParamsFor<Services, N>

/** Result of a method. 64-bit integers, such as amounts and heights, are bigints. */
export type AnswerOf<N extends MethodName> = AnswerFor<Services, N>

/** Calls a method by its name, with its own parameters and answer. */
export type Call = CallTo<Services>

/** The methods of one service as functions: `dev.advanceTime({ seconds: 60 })`. */
export type ServiceCalls<S extends string> = FunctionsOf<Services, S>

/** Makes the functions of one service over a client. */
export function serviceOf<const S extends ServiceName>(service: S, call: Call): ServiceCalls<S> {
  return functionsOf(table, service, call)
}

/** Creates a client of a node over any transport. */
export function nodeClient(transport: Transport): Call {
  return createClient(table, transport)
}

/** Creates a client of a node over any transport that returns results as the node wrote them. */
export function nodeJsonClient(transport: Transport): JsonCall {
  return createJsonClient(table, transport)
}

/** Creates a client of a node at a URL. */
export function httpClient(url: string): Call {
  return nodeClient(httpTransport(url))
}
