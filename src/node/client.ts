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
import { type ServiceName, services } from "./services.js"

type Services = typeof services

/** The name of any method: `platform.getHeight`. */
export type MethodName = MethodOf<Services>

/** Parameters of a method. */
export type ParamsOf<N extends MethodName> = ParamsFor<Services, N>

/** Result of a method. Integers of 64 bits, such as amounts and heights, are bigints. */
export type AnswerOf<N extends MethodName> = AnswerFor<Services, N>

/** Calls a method by its name, with its own parameters and answer. */
export type Call = CallTo<Services>

/** The methods of one service as functions: `dev.advanceTime({ seconds: 60 })`. */
export type ServiceCalls<S extends string> = FunctionsOf<Services, S>

/** The methods of one service as functions over a client. */
export function serviceOf<const S extends ServiceName>(service: S, call: Call): ServiceCalls<S> {
  return functionsOf(services, service, call)
}

/** A client of a node over any transport. */
export function nodeClient(transport: Transport): Call {
  return createClient(services, transport)
}

/** A client of a node over any transport that returns results as the node wrote them. */
export function nodeJsonClient(transport: Transport): JsonCall {
  return createJsonClient(services, transport)
}

/** A client of a node elsewhere. */
export function httpClient(url: string): Call {
  return nodeClient(httpTransport(url))
}
