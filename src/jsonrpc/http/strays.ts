import { METHODS, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import type { HeaderList } from "./cors.js"
import type { RequestHead } from "./exchange.js"
import { type HttpResponse, plainText } from "./send.js"

/** What Node's parser says of bytes that it cannot take for a request. */
export interface ParserError extends Error {
  readonly code?: string
  /** What came last. */
  readonly rawPacket?: Buffer
}

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** The answer to bytes that are no request. */
export function strayAnswer({ code = "" }: ParserError): HttpResponse {
  const status = STATUSES[code] ?? 400
  return plainText(status, `${status} ${STATUS_CODES[status]}`)
}

/** A request whose method Node does not know, as far as its head came in one piece. To AvalancheGo it is a request like others. */
export function strangeRequest({ code, rawPacket }: ParserError): RequestHead | undefined {
  if (code !== "HPE_INVALID_METHOD" || !rawPacket) return undefined
  const [head, rest] = rawPacket.toString("latin1").split("\r\n\r\n", 2) as [string, string | undefined]
  const [line = "", ...fields] = head.split("\r\n")
  const [, method, url] = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.[01]$/.exec(line) ?? []
  if (rest === undefined || method === undefined || url === undefined) return undefined
  // A method that Node knows: what is strange comes behind this request.
  if (METHODS.includes(method)) return undefined
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const colon = field.indexOf(":")
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim()
  }
  return { method, url, headers }
}

/**
 * Writes an answer by hand, where Node has made no response, and ends the connection. Only where nothing came before on it: else an
 * answer may be under way, and this would stand in the midst of it.
 */
export function writeByHand(
  socket: Duplex & { bytesRead?: number },
  error: ParserError,
  answer: HttpResponse,
  common: HeaderList,
): void {
  const isFirst = error.rawPacket === undefined || socket.bytesRead === error.rawPacket.length
  if (!socket.writable || !isFirst) {
    socket.destroy()
    return
  }
  const body = Buffer.concat(answer.body)
  const all = [...answer.headers, ...common, "Content-Length", String(body.length), "Connection", "close"]
  let head = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n`
  for (let i = 0; i < all.length; i += 2) head += `${all[i]}: ${all[i + 1]}\r\n`
  // Whoever does not close from their side would keep half of the connection.
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), body]), () => socket.destroy())
}
