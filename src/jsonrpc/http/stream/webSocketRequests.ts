import type { IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { type Clients, REQUEST_MILLISECONDS } from "../connection/clients.js"
import { whenIdle } from "../connection/connections.js"
import { asksForWebSocket } from "../connection/listener.js"
import type { HttpParts } from "../httpParts.js"
import { type HttpStep, NO_TARGET, type UpgradeExchange } from "../request/exchange.js"
import type { HeightWaiters } from "../request/heightWaiters.js"
import { tooLow } from "../request/minHeight.js"
import { runSteps } from "../request/steps.js"
import { writeRawResponse } from "../response/rawResponse.js"
import { errorText, type HttpResponse } from "../response/send.js"
import type { Streams } from "./streams.js"
import { NO_WEB_SOCKET } from "./webSockets.js"

const WRONG_ORIGIN = errorText(403, "pages of this origin may not read here: --http-allowed-origins names those that may")

/** The response to a request for another protocol, which Node 20 does not decline by itself. */
const NO_OTHER_PROTOCOL = errorText(400, "this server speaks HTTP/1.1 and WebSocket: use HTTP/1.1, without the header Upgrade")

/** Parts of the server that requests for WebSockets use. */
export interface WebSocketParts extends Pick<HttpParts, "onFault" | "height"> {
  readonly clients: Clients
  readonly steps: readonly HttpStep[]
  readonly streams: Streams
  readonly heightWaiters: HeightWaiters
  /** Called with the status of each response. */
  responded(status: number, client: string): void
}

/** Handles requests for WebSockets. They pass the steps like any other request. */
export class WebSocketRequests {
  readonly #parts: WebSocketParts

  constructor(parts: WebSocketParts) {
    this.#parts = parts
  }

  /** Opens a WebSocket when the earlier requests of its connection have been answered. */
  onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    // Node stops listening for errors of a connection that requests an upgrade, and an unhandled error ends the process.
    socket.on("error", () => socket.destroy())
    const { clients } = this.#parts
    const connection = clients.connections.of(socket)
    if (!connection || connection.isEnding) {
      socket.destroy()
      return
    }
    connection.isUnused = false
    whenIdle(connection, () => {
      if (socket.destroyed) return
      const meter = clients.meterOf(request, connection)
      meter.charge(REQUEST_MILLISECONDS)
      const exchange = { request, meter, head, headers: [], target: NO_TARGET, route: undefined }
      meter.run(() => this.#handle(exchange))
    })
  }

  #handle(exchange: UpgradeExchange): void {
    const { steps } = this.#parts
    const isWebSocket = asksForWebSocket(exchange.request)
    this.#answer(exchange, () => (isWebSocket ? (runSteps(steps, exchange) ?? this.#whenHigh(exchange)) : NO_OTHER_PROTOCOL))
  }

  /** Sends the refusal of a request, if there is one. A fault in Serac ends this one connection, not the process. */
  #answer(exchange: UpgradeExchange, refusalOf: () => HttpResponse | undefined): void {
    try {
      const refusal = refusalOf()
      if (refusal) this.#refuse(exchange, refusal)
    } catch (error) {
      this.#fail(error, exchange)
    }
  }

  #fail(error: unknown, { request }: UpgradeExchange): void {
    this.#parts.onFault?.(error, request.url ?? "")
    request.socket.destroy()
  }

  /** Opens a WebSocket as soon as the chain has the height that the request names. Most requests name none. */
  #whenHigh(exchange: UpgradeExchange): HttpResponse | undefined {
    const { minHeight, meter, request } = exchange
    const { height, heightWaiters } = this.#parts
    if (minHeight === undefined || height() >= minHeight) return this.#open(exchange)
    const afterWait = (reached: bigint) => (reached < minHeight ? tooLow(reached, minHeight) : this.#open(exchange))
    const waits = heightWaiters.add({
      client: meter.client,
      minHeight,
      isGone: () => request.socket.destroyed,
      done: (reached) => meter.run(() => this.#answer(exchange, () => afterWait(reached))),
      failed: (error) => this.#fail(error, exchange),
      closed: () => request.socket.destroy(),
    })
    return waits ? undefined : tooLow(height(), minHeight)
  }

  #open(exchange: UpgradeExchange): HttpResponse | undefined {
    const refusal = this.#webSocket(exchange)
    if (!refusal) this.#parts.responded(101, exchange.meter.client)
    return refusal
  }

  #refuse({ request, headers, meter }: UpgradeExchange, answer: HttpResponse): void {
    this.#parts.responded(answer.status, meter.client)
    writeRawResponse(request.socket, answer, headers)
  }

  /** Browsers let a page open any WebSocket, so a page that may not read answers is refused here. */
  #webSocket(exchange: UpgradeExchange): HttpResponse | undefined {
    const { streams } = this.#parts
    const { route, request, headers } = exchange
    const { origin = "" } = request.headers
    if (origin !== "" && !headers.includes("Access-Control-Allow-Origin")) return WRONG_ORIGIN
    if (route?.kind === "events") return streams.openWebSocket(route.hub, exchange)
    if (route?.kind !== "body") return NO_WEB_SOCKET
    return streams.openTunnel(route, exchange, (refusal) => this.#refuse(exchange, refusal))
  }
}
