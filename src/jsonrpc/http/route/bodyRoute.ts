import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import type { HeaderList } from "../request/cors.js"
import type { HttpResponse } from "../response/send.js"

/** The parts of a request before its body. */
export type RequestHead = Pick<IncomingMessage, "url" | "method" | "headers" | "rawHeaders">

/** A request with its whole body for a route that is neither a call nor a page. */
export interface BodyRequest {
  readonly method: string
  /** The part of the path below the route's own. It is empty at the route itself. */
  readonly subpath: string
  /** The query with its question mark, or an empty text. */
  readonly query: string
  readonly contentType: string | undefined
  /** The origin of the page that sends the request, if a page sends it. */
  readonly origin: string | undefined
  readonly body: Uint8Array
  readonly request: RequestHead
  /** The headers that every answer to the request carries, unless it has `isWhole`. */
  readonly answerHeaders: HeaderList
  /** Aborted when the client has gone, and soon after the server began to stop. */
  readonly ending: AbortSignal
  /** Reserves memory for a part of the answer until it has been sent. Returns false if the client or the server has none left. */
  reserve(bytes: number): boolean
}

/** A route that gets the whole body of a request. */
export interface BodyRoute {
  readonly kind: "body"
  /** True if pages of foreign origins are refused. */
  readonly isPrivileged: boolean
  /** The HTTP methods that the route accepts; omitted if it answers all of them. */
  readonly methods?: readonly string[]
  answer(request: BodyRequest): Promise<HttpResponse>
  /** Opens a WebSocket at another server for a client that requests one, or refuses it; omitted if the route has no WebSocket. */
  connect?(request: ConnectRequest): Promise<Tunnel | HttpResponse>
}

/** A request for a WebSocket. */
export interface ConnectRequest extends Pick<BodyRequest, "subpath" | "query" | "origin" | "request" | "answerHeaders"> {
  /** The address of the client, `a.b.c.d:port`. */
  readonly remoteAddress: string
  /** The headers of the WebSocket's handshake. */
  readonly handshake: Readonly<Record<string, string>>
}

/** A WebSocket to another server: its connection, and the answer to its handshake. */
export interface Tunnel {
  /** The answer as a list of names and values; omitted if the connection itself begins with the answer. */
  readonly headers?: readonly string[]
  readonly stream: Duplex
  /** Bytes that arrived after the answer. */
  readonly head: Buffer
}
