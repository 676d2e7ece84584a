import type { Duplex } from "node:stream"
import type { Meter } from "../limits/meter.js"
import type { BodyRoute, Tunnel } from "./bodyRoute.js"
import type { OpenExchange } from "./exchange.js"
import type { HttpResponse } from "./send.js"

/** The headers of a WebSocket's handshake that are forwarded. */
const HANDSHAKE = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions"]

/** The headers of the answer that are sent back. */
const ANSWER = /^(upgrade|connection|sec-websocket-[a-z]+)$/i

/** Milliseconds that Node takes for each piece that is copied, and for each byte of it, at most. */
const PIECE_MILLISECONDS = 0.05
const BYTE_MILLISECONDS = 2 / (1 << 20)

/** The most bytes that may wait until one side reads them. */
const MAX_WAITING = 1 << 20

/**
 * Connects a client that requests a WebSocket to one that the route opens at another server; the two then exchange bytes, for which the
 * client pays. Returns the refusal if the route refuses. Both connections end with either of them.
 */
export async function connectTunnel(
  { connect }: BodyRoute,
  { request, response, meter, rest = "", target: { query } }: OpenExchange,
  head: Buffer,
): Promise<HttpResponse | undefined> {
  const { socket, headers } = request
  const handshake = Object.fromEntries(HANDSHAKE.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])))
  const tunnel = await connect?.({ rest, query, origin: headers.origin, handshake })
  if (!tunnel || !("stream" in tunnel)) return tunnel
  if (socket.destroyed) {
    tunnel.stream.destroy()
    return undefined
  }
  response.detachSocket(socket)
  const destroy = () => {
    socket.destroy()
    tunnel.stream.destroy()
  }
  for (const each of [socket, tunnel.stream]) each.on("error", destroy).on("close", destroy)
  socket.write(Buffer.concat([Buffer.from(answerHead(tunnel), "latin1"), tunnel.head]))
  tunnel.stream.write(head)
  copyBytes(socket, tunnel.stream, meter)
  copyBytes(tunnel.stream, socket, meter)
  return undefined
}

/** Copies bytes as fast as the other side reads them. The connection ends when the client has no units left. */
function copyBytes(from: Duplex, to: Duplex, meter: Meter): void {
  from.on("data", (bytes: Buffer) => {
    meter.spend(PIECE_MILLISECONDS + bytes.length * BYTE_MILLISECONDS)
    // Bytes may arrive in spite of a pause, because all connections of a client are resumed together.
    if (meter.debtSeconds !== undefined || to.writableLength > MAX_WAITING) from.destroy()
    else if (!to.write(bytes)) from.pause()
  })
  to.on("drain", () => from.resume())
  from.on("end", () => to.end())
  from.resume()
}

function answerHead({ headers }: Tunnel): string {
  let text = "HTTP/1.1 101 Switching Protocols\r\n"
  for (let i = 0; i < headers.length; i += 2)
    if (ANSWER.test(headers[i] as string)) text += `${headers[i]}: ${headers[i + 1]}\r\n`
  return `${text}\r\n`
}
