import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Reply } from "../../call/reply.js"
import type { Meter } from "../../limits/meter.js"
import { latin1Text } from "../../printedJson.js"
import type { HttpConnection } from "../connection/connections.js"
import type { HeaderList } from "../request/cors.js"

const JSON_TYPE = "application/json; charset=utf-8"
const TEXT_TYPE = "text/plain; charset=utf-8"

/** An HTTP answer that is ready to go. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderList
  readonly body: readonly Uint8Array[]
  /** True if the headers are all that the answer has; by default those of every answer are added. */
  readonly isWhole?: boolean
  /** True if the connection is closed after the response. */
  readonly closes?: boolean
  /** Milliseconds of an answer that came later: those of other processes, and those of this one after it had waited for them. */
  readonly milliseconds?: number
}

/** Makes a text response as Go's http.Error writes it: one line that browsers do not interpret as another type. */
export function errorText(status: number, text: string): HttpResponse {
  return { status, headers: ["Content-Type", TEXT_TYPE, "X-Content-Type-Options", "nosniff"], body: [Buffer.from(`${text}\n`)] }
}

/**
 * Makes a text response as gorilla/rpc writes it: without line end and without the header against sniffing. Text from headers is sent back
 * byte by byte.
 */
export function plainText(status: number, text: string): HttpResponse {
  return { status, headers: ["Content-Type", TEXT_TYPE], body: [Buffer.from(text, "latin1")] }
}

export function page(type: string, text: string | Uint8Array, status = 200): HttpResponse {
  return { status, headers: ["Content-Type", type], body: [typeof text === "string" ? Buffer.from(text) : text] }
}

/** Returns the header `Serac-Height`; no header for an answer that was not read from a state. */
export function heightHeader(height: bigint | undefined): HeaderList {
  return height === undefined ? [] : ["Serac-Height", String(height)]
}

/** A JSON-RPC answer with its headers. `sendsHeight` adds the header `Serac-Height`. */
export function rpcResponse({ status, body, isExecuted, retryAfter, height }: Reply, sendsHeight = false): HttpResponse {
  const headers: string[] = body.length === 0 ? [] : ["Content-Type", JSON_TYPE]
  if (isExecuted) headers.push("X-Content-Type-Options", "nosniff")
  if (retryAfter !== undefined) headers.push("Retry-After", String(retryAfter))
  if (sendsHeight) headers.push(...heightHeader(height))
  return { status, headers, body, closes: status === 413 }
}

/** Parts with which an answer is sent: its limits until its client has read it. */
export interface SendParts {
  readonly meter: Meter
  /** `undefined` if the connection has ended. */
  readonly connection: HttpConnection | undefined
  /** The time that the client has to read the answer, milliseconds. */
  readonly writeTimeout: number
}

/** Bodies up to this size are sent as text, which Node joins with the headers for one write; bytes are a write of their own. */
const MAX_JOINED = 4096

/**
 * Sends an answer. A client that does not read it within `writeTimeout` milliseconds, or that leaves too many bytes unread, is
 * disconnected.
 */
export function send(response: ServerResponse, answer: HttpResponse, common: HeaderList, parts: SendParts): void {
  const { status, headers, body, isWhole, closes } = answer
  const length = body.reduce((sum, chunk) => sum + chunk.length, 0)
  parts.meter.chargeBytes(length)
  const end: HeaderList = closes ? ["Connection", "close"] : []
  response.writeHead(status, [...headers, ...(isWhole ? [] : common), "Content-Length", String(length), ...end])
  if (response.req.method === "HEAD") response.end()
  else if (length <= MAX_JOINED)
    response.end(latin1Text(body.length === 1 ? (body[0] as Uint8Array) : Buffer.concat(body, length)), "latin1")
  else {
    response.cork()
    for (const chunk of body) response.write(chunk)
    response.end()
  }
  countUntilRead(response, length, parts)
}

/**
 * Counts an answer as unread until the system has taken it. It may wait in the socket's buffer, or after an earlier answer of its
 * connection that is not ready yet.
 */
function countUntilRead(response: ServerResponse, length: number, { meter, connection, writeTimeout }: SendParts): void {
  const { socket } = response
  const isGone = !connection || connection.socket.destroyed
  if (isGone || socket?.writableLength === 0) meter.release()
  else if (!meter.reserveAll(length)) {
    meter.release()
    connection.socket.destroy()
  } else {
    const ended = () => {
      connection.onEnd.delete(ended)
      meter.release()
    }
    connection.onEnd.add(ended)
    whenSent(response, connection.socket, writeTimeout, ended)
  }
}

/** Calls back when a response has been sent. Ends the connection if its client does not read the response in time. */
function whenSent(response: ServerResponse, socket: Socket, writeTimeout: number, sent: () => void): void {
  const watch = () => {
    const stalled = setTimeout(() => socket.destroy(), writeTimeout)
    stalled.unref()
    response.once("close", () => clearTimeout(stalled))
  }
  // A response that waits after another one has no socket yet.
  if (response.socket) watch()
  else response.once("socket", watch)
  response.once("close", sent)
}
