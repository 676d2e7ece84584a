import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { latin1 } from "../../core/lib/bytes.js"
import type { Reply } from "../call/reply.js"
import type { Meter } from "../limits/meter.js"
import type { AnswerHeads, UnsentHead } from "./answerHeads.js"
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

/** A JSON-RPC answer with its headers. */
export function rpcAnswer({ status, body, isExecuted, retryAfter }: Reply): HttpResponse {
  const headers: string[] = body.length === 0 ? [] : ["Content-Type", JSON_TYPE]
  if (isExecuted) headers.push("X-Content-Type-Options", "nosniff")
  if (retryAfter !== undefined) headers.push("Retry-After", String(retryAfter))
  return { status, headers, body, closes: status === 413 }
}

const EXECUTED: HeaderList = ["Content-Type", JSON_TYPE, "X-Content-Type-Options", "nosniff"]
const NO_BODY: readonly Uint8Array[] = []

/** Returns the header `Serac-Height`; no header for an answer that was not read from a state. */
export function heightHeader(height: bigint | undefined): HeaderList {
  return height === undefined ? [] : ["Serac-Height", String(height)]
}

/** The headers of calls that were executed. Those of one height are one object. */
export class ExecutedHeaders {
  #height: bigint | undefined
  #headers = EXECUTED

  /** `height`: the value of the header `Serac-Height`; `undefined` where the answer has none. */
  at(height: bigint | undefined): HeaderList {
    if (height !== this.#height) {
      this.#height = height
      this.#headers = height === undefined ? EXECUTED : [...EXECUTED, ...heightHeader(height)]
    }
    return this.#headers
  }
}

/** Makes the answer to a call. Most are texts of methods that were executed. `sendsHeight` adds the header `Serac-Height`. */
export function callAnswer(reply: Reply, sendsHeight: boolean, executed: ExecutedHeaders): HttpResponse {
  const { status, text, isExecuted } = reply
  const height = sendsHeight ? reply.height : undefined
  if (isExecuted && text !== undefined) return { status, headers: executed.at(height), body: NO_BODY, text }
  if (isExecuted && reply.body.length > 0) return { status, headers: executed.at(height), body: reply.body }
  const answer = rpcAnswer(reply)
  return { ...answer, headers: [...answer.headers, ...heightHeader(height)] }
}

/** The maximum size of an answer that is sent as a text together with its headers, because one write costs half of two. */
const SMALL = 1 << 12

/** The maximum size of an answer that is copied behind its headers. Copying 40 KiB takes 20 µs more than a second write. */
const ONE_WRITE = 1 << 14

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

/** A response whose head waits to be sent. Node's types do not declare these members. */
type UnsentResponse = ServerResponse & UnsentHead & { _headerSent: boolean }

/**
 * Ends a response with a text of one byte for each character. Node writes the body given to `end` and the end as two pieces, which takes
 * longer than one: the text is appended to the head, which is one piece.
 */
function endWithText(response: ServerResponse, text: string): void {
  const open = response as UnsentResponse
  if (typeof open._header !== "string") response.end(text, "latin1")
  else {
    open._header += text
    response.end()
  }
}

/** Ends a response with a body that is copied behind its head: one write of some KiB takes less time than several without a copy. */
function endInOneWrite(response: ServerResponse, body: readonly (Uint8Array | string)[], length: number): void {
  const open = response as UnsentResponse
  const { socket, _header: head } = open
  // A response that waits after another one has no socket yet.
  if (!socket || typeof head !== "string" || open._headerSent !== false) {
    writePieces(response, body)
    return
  }
  const bytes = Buffer.allocUnsafe(head.length + length)
  let at = bytes.write(head, "latin1")
  for (const piece of body) at += putPiece(bytes, piece, at)
  open._headerSent = true
  socket.write(bytes)
  response.end()
}

/** Puts a piece into a buffer at a place; returns the number of its bytes. */
function putPiece(bytes: Buffer, piece: Uint8Array | string, at: number): number {
  if (typeof piece === "string") return bytes.write(piece, at)
  bytes.set(piece, at)
  return piece.length
}

/** Writes a large answer. A short first piece, which most answers have, is text, so that Node joins it with the head. */
function writePieces(response: ServerResponse, body: readonly (Uint8Array | string)[]): void {
  body.forEach((piece, i) => {
    if (i === body.length - 1) response.end(piece)
    else if (i === 0 && piece.length <= SMALL && typeof piece !== "string") response.write(latin1(piece), "latin1")
    else response.write(piece)
  })
}

/** Parts with which an answer is sent: its limits until its client has read it, and the heads of answers. */
export interface SendParts {
  readonly heads: AnswerHeads
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
export function send(response: ServerResponse, answer: HttpResponse, common: HeaderList, sending: SendParts): void {
  const { status, headers, body, text, closes } = answer
  const length = text === undefined ? sizeOf(body) : Buffer.byteLength(text)
  sending.meter.charge(length * BYTE_MILLISECONDS)
  if (closes) response.writeHead(status, [...headers, ...common, "Content-Length", String(length), "Connection", "close"])
  else sending.heads.write(response, { status, headers, common, length })
  const isAscii = text === undefined || text.length === length
  if (response.req.method === "HEAD") response.end()
  else if (length <= SMALL && isAscii) endWithText(response, text ?? asLatin1(body))
  else if (length <= ONE_WRITE) endInOneWrite(response, text === undefined ? body : [text], length)
  else writePieces(response, text === undefined ? body : [text])
  holdUntilRead(response, length, sending)
}

/**
 * Counts an answer as unread until the system has taken it. It may wait in the socket's buffer, among collected answers, or after an
 * earlier answer of its connection that is not ready yet.
 */
function holdUntilRead(response: ServerResponse, length: number, { meter, connection, writeTimeout }: SendParts): void {
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
