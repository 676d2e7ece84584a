import { createRequire } from "node:module"
import type { Socket } from "node:net"
import type { WebSocket, WebSocketServer } from "ws"
import type { Sink } from "../../events/feed.js"
import type { Meter } from "../../limits/meter.js"
import { REQUEST_MILLISECONDS } from "../connection/clients.js"
import type { UpgradeExchange } from "../request/exchange.js"
import { errorText } from "../response/send.js"

/** The answer at a path without a WebSocket. */
export const NO_WEB_SOCKET = errorText(400, "nothing is served over WebSocket at this path")

/** The maximum size of a client's message, bytes. Clients only send the closing handshake. */
const MAX_MESSAGE = 1024

const POLICY_VIOLATION = 1008

/** Accepts WebSockets. The library is loaded with the first connection, because most nodes never have one. */
export class WebSockets {
  #server: WebSocketServer | undefined

  /**
   * Turns an upgrade request into a WebSocket, and passes it on as a sink of events. Each event is one message. A client that sends messages,
   * or frames without end, is disconnected.
   */
  accept(
    { request, meter, head }: UpgradeExchange,
    accepted: (sink: Sink, onClose: (listener: () => void) => void) => void,
  ): void {
    const { socket } = request
    this.#server ??= openServer()
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      limitFrames(webSocket, socket, meter)
      accepted(sinkOf(webSocket, socket, meter), (listener) => webSocket.once("close", listener))
    })
  }
}

function openServer(): WebSocketServer {
  const ws = createRequire(import.meta.url)("ws") as typeof import("ws")
  return new ws.WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE,
    // One ping is answered per turn of the event loop, because thousands of them may arrive in one read.
    allowSynchronousEvents: false,
  })
}

/** Charges a client for everything that it sends, and disconnects it if it sends messages or many frames, or cannot pay. */
function limitFrames(webSocket: WebSocket, socket: Socket, meter: Meter): void {
  webSocket.on("error", () => webSocket.terminate())
  webSocket.on("message", () => webSocket.close(POLICY_VIOLATION, "this stream takes no messages"))
  // Clients send single pings and pongs. More bytes in one read are thousands of frames.
  socket.on("data", ({ length }: Buffer) => {
    meter.charge(REQUEST_MILLISECONDS)
    if (length > MAX_MESSAGE || meter.debtSeconds !== undefined) webSocket.terminate()
  })
}

function sinkOf(webSocket: WebSocket, socket: Socket, meter: Meter): Sink {
  return {
    write(bytes) {
      sendEvents(webSocket, bytes)
      return !socket.writableNeedDrain
    },
    onDrain: (listener) => socket.on("drain", listener),
    destroy: () => webSocket.terminate(),
    meter,
  }
}

/** Sends each server-sent event as a message. A comment, which keeps a stream alive, becomes a ping. */
function sendEvents(webSocket: WebSocket, bytes: Uint8Array): void {
  for (const text of Buffer.from(bytes).toString("utf8").split("\n\n")) {
    if (text === "") continue
    const message = messageOf(text)
    if (message === undefined) webSocket.ping()
    else webSocket.send(message)
  }
}

/** A server-sent event as JSON: its name, its ID if it has one, and its data. */
function messageOf(text: string): string | undefined {
  const fields = new Map(text.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]))
  const [event, id, data] = [fields.get("event"), fields.get("id"), fields.get("data")]
  if (event === undefined || data === undefined) return undefined
  return `{"event":"${event}",${id === undefined ? "" : `"id":"${id}",`}"data":${data}}`
}
