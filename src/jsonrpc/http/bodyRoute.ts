import type { Duplex } from "node:stream"
import type { HttpResponse } from "./send.js"

/** A request for a route that is neither a call nor a page, with its whole body. */
export interface BodyRequest {
  readonly method: string
  /** The part of the path below the route's own; empty at the route itself. */
  readonly rest: string
  /** With its question mark, or empty. */
  readonly query: string
  readonly contentType: string | undefined
  /** The origin of the page that sends it, if it is one. */
  readonly origin: string | undefined
  readonly body: Uint8Array
}

/** A route that gets the whole body of a request. */
export interface BodyRoute {
  readonly kind: "body"
  /** True where pages of foreign origins are refused. */
  readonly isPrivileged: boolean
  /** The HTTP methods that it takes. */
  readonly methods: readonly string[]
  answer(request: BodyRequest): Promise<HttpResponse>
  /** Opens a WebSocket elsewhere for a client that asks for one, or refuses it; left out where the route has none. */
  connect?(request: ConnectRequest): Promise<Tunnel | HttpResponse>
}

/** A request for a WebSocket. */
export interface ConnectRequest extends Pick<BodyRequest, "rest" | "query" | "origin"> {
  /** The headers of the WebSocket's handshake. */
  readonly handshake: Readonly<Record<string, string>>
}

/** A WebSocket that was opened elsewhere: the answer to its handshake as a list of names and values, and its connection. */
export interface Tunnel {
  readonly headers: readonly string[]
  readonly stream: Duplex
  /** Bytes that came after the answer. */
  readonly head: Buffer
}
