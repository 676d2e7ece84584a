import type { BodyRoute, Tunnel } from "./bodyRoute.js"
import type { OpenExchange } from "./exchange.js"
import type { HttpResponse } from "./send.js"

/** The headers of a WebSocket's handshake that are forwarded. */
const HANDSHAKE = ["sec-websocket-key", "sec-websocket-version", "sec-websocket-protocol", "sec-websocket-extensions"]

/** The headers of the answer that are sent back. */
const ANSWER = /^(upgrade|connection|sec-websocket-[a-z]+)$/i

/**
 * Connects a client that requests a WebSocket to one that the route opens at another server; the two then exchange bytes directly. Returns
 * the refusal if the route refuses. `opened` receives a function that ends the connection, and a function that registers a callback for its
 * end.
 */
export async function connectTunnel(
  { connect }: BodyRoute,
  { request, response, rest = "", target: { query } }: OpenExchange,
  head: Buffer,
  opened: (destroy: () => void, onClose: (listener: () => void) => void) => void,
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
  opened(destroy, (listener) => socket.once("close", listener))
  socket.write(Buffer.concat([Buffer.from(answerHead(tunnel), "latin1"), tunnel.head]))
  tunnel.stream.write(head)
  socket.pipe(tunnel.stream).pipe(socket)
  return undefined
}

function answerHead({ headers }: Tunnel): string {
  let text = "HTTP/1.1 101 Switching Protocols\r\n"
  for (let i = 0; i < headers.length; i += 2)
    if (ANSWER.test(headers[i] as string)) text += `${headers[i]}: ${headers[i + 1]}\r\n`
  return `${text}\r\n`
}
