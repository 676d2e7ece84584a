import type { Duplex } from "node:stream"
import type { Meter } from "../../limits/meter.js"
import { REQUEST_MILLISECONDS } from "../connection/clients.js"
import type { UpgradeExchange } from "../request/exchange.js"
import type { HttpResponse } from "../response/send.js"
import type { BodyRoute, Tunnel } from "../route/bodyRoute.js"

/** The headers of a WebSocket's handshake that are forwarded. */
const HANDSHAKE = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions"]

/** The headers of the answer that are sent back. */
const ANSWER = /^(upgrade|connection|sec-websocket-[a-z]+)$/i

/** The most bytes that may wait until one side reads them. */
const MAX_WAITING = 1 << 20

/**
 * Connects a client that requests a WebSocket to one that the route opens at another server; the two then exchange bytes, for which the
 * client pays. Returns the refusal if the route refuses. Both connections end with either of them.
 */
export async function connectTunnel(
  { connect }: BodyRoute,
  { request, meter, head, headers: answerHeaders, subpath = "", target: { query } }: UpgradeExchange,
): Promise<HttpResponse | undefined> {
  const { socket, headers } = request
  const handshake = Object.fromEntries(HANDSHAKE.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])))
  const remoteAddress = `${socket.remoteAddress}:${socket.remotePort}`
  const tunnel = await connect?.({ subpath, query, origin: headers.origin, handshake, request, answerHeaders, remoteAddress })
  if (!tunnel || !("stream" in tunnel)) return tunnel
  if (socket.destroyed) {
    tunnel.stream.destroy()
    return undefined
  }
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
    meter.charge(REQUEST_MILLISECONDS)
    meter.chargeBytes(bytes.length)
    if (meter.debtSeconds !== undefined || to.writableLength > MAX_WAITING) from.destroy()
    else if (!to.write(bytes)) from.pause()
  })
  to.on("drain", () => from.resume())
  from.on("end", () => to.end())
  from.resume()
}

function answerHead({ headers }: Tunnel): string {
  if (!headers) return ""
  let text = "HTTP/1.1 101 Switching Protocols\r\n"
  for (let i = 0; i < headers.length; i += 2)
    if (ANSWER.test(headers[i] as string)) text += `${headers[i]}: ${headers[i + 1]}\r\n`
  return `${text}\r\n`
}
