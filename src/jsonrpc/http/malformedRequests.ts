import { METHODS, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import type { HeaderList } from "./cors.js"
import type { RequestHead } from "./exchange.js"
import { type HttpResponse, plainText } from "./send.js"

/** Error of Node's HTTP parser for bytes that are not a request. */
export interface ParserError extends Error {
  readonly code?: string
  /** The last packet that was received. */
  readonly rawPacket?: Buffer
  /** The number of its bytes that were parsed. */
  readonly bytesParsed?: number
}

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Characters that no header may contain. The answer may repeat a header, so a line feed could add others to it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused.
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/

/** Makes the response to bytes that are not a request. */
export function malformedRequestAnswer({ code = "" }: ParserError): HttpResponse {
  const status = STATUSES[code] ?? 400
  return plainText(status, `${status} ${STATUS_CODES[status]}`)
}

/** Reads a request whose HTTP method Node does not know, if its head is in one packet. AvalancheGo handles it like any other request. */
export function unknownMethodRequest({ code, rawPacket }: ParserError): RequestHead | undefined {
  if (code !== "HPE_INVALID_METHOD" || !rawPacket) return undefined
  const [head, rest] = rawPacket.toString("latin1").split("\r\n\r\n", 2) as [string, string | undefined]
  const [line = "", ...fields] = head.split("\r\n")
  if (fields.some((field) => CONTROL.test(field))) return undefined
  const [, method, url] = /^([!#$%&'*+.^_`|~\w-]+) (\S+) HTTP\/1\.[01]$/.exec(line) ?? []
  if (rest === undefined || method === undefined || url === undefined) return undefined
  // Node knows this method, so the malformed bytes come after this request.
  if (METHODS.includes(method)) return undefined
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const colon = field.indexOf(":")
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim()
  }
  return { method, url, headers }
}

/**
 * Writes a response directly to the socket, since Node made no response object, and closes the connection. If the connection had an
 * earlier request it is destroyed instead: that request's response may be partly written.
 */
export function writeRawResponse(
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
  // If the client did not close its side, the connection would stay half open.
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), body]), () => socket.destroy())
}
