import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { latin1 } from "../../core/lib/bytes.js"
import type { Reply } from "../call/reply.js"
import type { Meter } from "../limits/meter.js"
import type { HttpConnection } from "./connections.js"
import type { HeaderList } from "./cors.js"

const JSON_TYPE = "application/json; charset=utf-8"
const TEXT_TYPE = "text/plain; charset=utf-8"

/** An HTTP answer that is ready to go. */
export interface HttpResponse {
  readonly status: number
  readonly headers: HeaderList
  readonly body: readonly Uint8Array[]
  /** The body as text, in place of `body`. */
  readonly text?: string
  /** True if the connection is closed after the response. */
  readonly closes?: boolean
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

/** A JSON-RPC answer with its headers. */
export function rpcAnswer({ status, body, isExecuted, retryAfter }: Reply): HttpResponse {
  const headers: string[] = body.length === 0 ? [] : ["Content-Type", JSON_TYPE]
  if (isExecuted) headers.push("X-Content-Type-Options", "nosniff")
  if (retryAfter !== undefined) headers.push("Retry-After", String(retryAfter))
  return { status, headers, body, closes: status === 413 }
}

const EXECUTED: HeaderList = ["Content-Type", JSON_TYPE, "X-Content-Type-Options", "nosniff"]
const NO_HEADERS: HeaderList = []
const NO_BODY: readonly Uint8Array[] = []

/** Returns the header `Serac-Height`; no header for an answer that was not read from a state. */
export function heightHeader(height: bigint | undefined): HeaderList {
  return height === undefined ? [] : ["Serac-Height", String(height)]
}

/** Makes the answer to a call. Most are short texts of methods that were executed. `tellsHeight` adds the header `Serac-Height`. */
export function callAnswer(reply: Reply, tellsHeight: boolean): HttpResponse {
  const { text, status, isExecuted } = reply
  const height = tellsHeight ? heightHeader(reply.height) : NO_HEADERS
  if (text === undefined || !isExecuted || text.length > SMALL) {
    const answer = rpcAnswer(reply)
    return height.length === 0 ? answer : { ...answer, headers: [...answer.headers, ...height] }
  }
  return { status, headers: height.length === 0 ? EXECUTED : [...EXECUTED, ...height], body: NO_BODY, text }
}

/** The maximum size of an answer that is sent together with its headers, because one write costs half of two. */
const SMALL = 1 << 12

/** Milliseconds to send a byte of an answer, mostly after the meter has stopped: one millisecond per MiB. */
const BYTE_MILLISECONDS = 1 / (1 << 20)

function sizeOf(body: readonly Uint8Array[]): number {
  let length = 0
  for (const piece of body) length += piece.length
  return length
}

/** Converts bytes to text that Node joins with the headers and sends as the same bytes. */
function asLatin1(pieces: readonly Uint8Array[]): string {
  let text = ""
  for (const piece of pieces) text += latin1(piece)
  return text
}

/** The headers of a response that were not sent yet. Node's types do not declare them. */
interface UnsentHeaders {
  _header: string | null
}

/**
 * Ends a response with a short text. Node writes the body given to `end` and the end as two pieces, which takes longer than one, so ASCII
 * text is appended to the headers, which are one piece.
 */
function endWithText(response: ServerResponse, text: string, byteLength: number): void {
  const open = response as ServerResponse & UnsentHeaders
  if (byteLength !== text.length || typeof open._header !== "string") {
    response.end(text)
    return
  }
  open._header += text
  response.end()
}

/** Writes a large answer. A short first piece, which most answers have, is text, so that Node joins it with the headers. */
function writePieces(response: ServerResponse, body: readonly Uint8Array[]): void {
  body.forEach((piece, i) => {
    if (i === body.length - 1) response.end(piece)
    else if (i === 0 && piece.length <= SMALL) response.write(latin1(piece), "latin1")
    else response.write(piece)
  })
}

/** Limits of an answer until its client has read it. */
export interface UnreadLimits {
  readonly meter: Meter
  /** `undefined` if the connection has ended. */
  readonly connection: HttpConnection | undefined
  /** The time that the client has to read the answer, milliseconds. */
  readonly writeTimeout: number
}

/**
 * Sends an answer. A client that does not read it within `writeTimeout` milliseconds, or that leaves too many bytes unread, is
 * disconnected.
 */
export function send(response: ServerResponse, answer: HttpResponse, common: HeaderList, limits: UnreadLimits): void {
  const { status, headers, body, text, closes } = answer
  const length = text === undefined ? sizeOf(body) : Buffer.byteLength(text)
  limits.meter.charge(length * BYTE_MILLISECONDS)
  response.writeHead(status, [
    ...headers,
    ...common,
    "Content-Length",
    String(length),
    ...(closes ? ["Connection", "close"] : []),
  ] as string[])
  if (text !== undefined) endWithText(response, text, length)
  else if (length <= SMALL) response.end(asLatin1(body), "latin1")
  else writePieces(response, body)
  holdUntilRead(response, length, limits)
}

/**
 * Counts an answer as unread until the system has taken it. It may wait in the socket's buffer, among collected answers, or after an
 * earlier answer of its connection that is not ready yet.
 */
function holdUntilRead(response: ServerResponse, length: number, { meter, connection, writeTimeout }: UnreadLimits): void {
  const { socket } = response
  const batch = socket && connection?.batch?.hasCollected ? connection.batch : undefined
  const isGone = !connection || connection.socket.destroyed
  if (isGone || (socket?.writableLength === 0 && !batch)) meter.release()
  else if (!meter.holdAll(length)) {
    meter.release()
    connection.socket.destroy()
  } else {
    const ended = () => {
      connection.onEnd.delete(ended)
      meter.release()
    }
    connection.onEnd.add(ended)
    if (batch) batch.onWritten(ended)
    else whenSent(response, connection.socket, writeTimeout, ended)
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
