import { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type Clients, REQUEST_MILLISECONDS } from "./clients.js"
import { type HttpStep, NO_TARGET, type OpenExchange } from "./exchange.js"
import type { HttpRequest } from "./httpRequest.js"
import type { Responder } from "./responder.js"
import { runSteps } from "./runSteps.js"
import { errorText, type HttpResponse } from "./send.js"
import type { Streams } from "./streams.js"
import { NO_WEB_SOCKET } from "./webSockets.js"

const WRONG_ORIGIN = errorText(403, "pages of this origin may not read here: --http-allowed-origins names those that may")

/** Parts of the server that requests for WebSockets use. */
export interface WebSocketParts {
  readonly clients: Clients
  readonly steps: readonly HttpStep[]
  readonly streams: Streams
  readonly responder: Responder
  /** Called with the status of a response that the responder does not send. */
  responded(status: number): void
}

/** Handles requests for WebSockets. They pass the steps like any other request. */
export class WebSocketRequests {
  readonly #parts: WebSocketParts

  constructor(parts: WebSocketParts) {
    this.#parts = parts
  }

  open(request: HttpRequest, socket: Socket, head: Buffer): void {
    const { clients } = this.#parts
    const response = new ServerResponse(request)
    response.assignSocket(socket)
    response.once("finish", () => socket.end())
    const connection = clients.begin(socket, response)
    const meter = clients.meterOf(request, connection)
    meter.charge(REQUEST_MILLISECONDS)
    const exchange = { request, response, meter, connection, isWaiting: false, headers: [], target: NO_TARGET, route: undefined }
    meter.run(() => this.#handle(exchange, head))
  }

  #handle(exchange: OpenExchange, head: Buffer): void {
    const { steps, responder, responded } = this.#parts
    try {
      const answer = runSteps(steps, exchange) ?? this.#webSocket(exchange, head)
      if (answer) responder.send(exchange, { ...answer, closes: true })
      else responded(101)
    } catch (error) {
      responder.fail(error, exchange)
    }
  }

  /** Browsers let a page open any WebSocket, so a page that may not read answers is refused here. */
  #webSocket(exchange: OpenExchange, head: Buffer): HttpResponse | undefined {
    const { streams, responder } = this.#parts
    const { route, request, headers } = exchange
    const { origin = "" } = request.headers
    if (origin !== "" && !headers.includes("Access-Control-Allow-Origin")) return WRONG_ORIGIN
    if (route?.kind === "events") return streams.openWebSocket(route.hub, exchange, head)
    if (route?.kind !== "body") return NO_WEB_SOCKET
    return streams.openTunnel(route, exchange, head, (refusal) => responder.send(exchange, { ...refusal, closes: true }))
  }
}
