import type { Socket } from "node:net"
import type { ParserError } from "../connection/listener.js"
import type { HeaderList } from "../request/cors.js"
import { type HttpResponse, plainText } from "./send.js"

const { STATUS_CODES } = process.getBuiltinModule("node:http")

const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** The first bytes of a connection that speaks HTTP/2. */
const HTTP2_PREFACE = "PRI * HTTP/2.0\r\n"

const NO_HTTP2 = plainText(505, "this server speaks HTTP/1.1 and WebSocket, and no HTTP/2")

/** Makes the response to bytes that are not a request. */
export function malformedRequestResponse({ code = "", rawPacket }: ParserError): HttpResponse {
  if (rawPacket?.toString("latin1", 0, HTTP2_PREFACE.length) === HTTP2_PREFACE) return NO_HTTP2
  const status = STATUSES[code] ?? 400
  return plainText(status, `${status} ${STATUS_CODES[status]}`)
}

/** Writes a response to a socket for which Node has made no response object, and closes the connection. */
export function writeRawResponse(socket: Socket, answer: HttpResponse, common: HeaderList): void {
  if (!socket.writable) {
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
