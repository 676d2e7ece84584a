import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type Clients, ENDED_MILLISECONDS, REQUEST_MILLISECONDS } from "../connection/clients.js"
import { whenIdle } from "../connection/connections.js"
import type { ParserError } from "../connection/listener.js"
import { TURN_CHUNKS } from "../connection/readTurns.js"
import type { HttpParts } from "../httpParts.js"
import type { HttpOptions } from "../options.js"
import { malformedRequestResponse, writeRawResponse } from "../response/rawResponse.js"
import type { Responder } from "../response/responder.js"
import { errorText, type HttpResponse, heightHeader } from "../response/send.js"
import type { Bodies } from "../route/bodies.js"
import type { Calls } from "../route/calls.js"
import type { PageResponse } from "../route/routes.js"
import { serverUrlOf } from "../route/serverAddress.js"
import type { Streams } from "../stream/streams.js"
import { readBody } from "./body.js"
import { type HttpStep, isGone, NO_TARGET, type OpenExchange } from "./exchange.js"
import type { HeightWaiters } from "./heightWaiters.js"
import { sendsStreamHeight, tooLow } from "./minHeight.js"
import { runSteps } from "./steps.js"

/** Parts of the server that its requests use. */
export interface RequestParts extends Pick<HttpParts, "dialect" | "height"> {
  readonly options: HttpOptions
  readonly clients: Clients
  readonly steps: readonly HttpStep[]
  readonly calls: Calls
  readonly bodies: Bodies
  readonly streams: Streams
  readonly responder: Responder
  readonly heightWaiters: HeightWaiters
  /** Called with the status of a response that the responder does not send, and the client that gets it. */
  responded(status: number, client: string): void
}

/** The maximum number of requests of one connection that wait for their answers. */
const MAX_UNANSWERED = 16

const TOO_MANY_REQUESTS = errorText(503, `more than ${MAX_UNANSWERED} requests of this connection wait for their answers`)

/** The response to a request that waited for a height, while the store cannot be read. */
const UNREADABLE = errorText(503, "the height of the chain cannot be read at the moment")

/** Handles requests: each passes the steps, waits for the height that it names, and then reaches its route. */
export class RequestHandler {
  readonly #parts: RequestParts

  constructor(parts: RequestParts) {
    this.#parts = parts
  }

  onRequest(request: IncomingMessage, response: ServerResponse, isWaiting: boolean): void {
    const { clients, responder } = this.#parts
    const connection = clients.connections.of(request.socket)
    if (!connection || connection.isEnding) {
      if (connection && connection.unanswered.size > 2 * MAX_UNANSWERED) request.socket.destroy()
      connection?.unanswered.add(response)
      return
    }
    clients.connections.begin(connection, response)
    const meter = clients.meterOf(request, connection)
    meter.charge(REQUEST_MILLISECONDS)
    const exchange = { request, response, meter, connection, isWaiting, headers: [], target: NO_TARGET, route: undefined }
    if (connection.unanswered.size > MAX_UNANSWERED) {
      connection.isEnding = true
      meter.charge(ENDED_MILLISECONDS)
      responder.send(exchange, { ...TOO_MANY_REQUESTS, closes: true })
    } else if (clients.isTurnOver) this.#handleLater(exchange)
    else meter.run(() => this.#handle(exchange))
  }

  /** Answers bytes that are not a request, after the requests before them, and ends the connection. */
  onMalformed(error: ParserError, socket: Socket): void {
    const { clients, responded } = this.#parts
    const connection = clients.connections.of(socket)
    if (!connection || connection.isEnding || connection.isStream || !socket.writable) {
      socket.destroy()
      return
    }
    connection.isEnding = true
    const meter = clients.meterAt(socket)
    meter.charge(ENDED_MILLISECONDS)
    const answer = malformedRequestResponse(error)
    responded(answer.status, meter.client)
    // The bytes may belong to the body of the last request, which then has a response.
    const open = [...connection.unanswered].at(-1)
    if (!open || open.req.complete) whenIdle(connection, () => writeRawResponse(socket, answer, []))
    else if (open.headersSent) socket.destroy()
    else {
      const body = Buffer.concat(answer.body)
      const end = ["Content-Length", String(body.length), "Connection", "close"]
      open.writeHead(answer.status, [...answer.headers, ...end]).end(body)
    }
  }

  /** Handles a request in the client's next turn of the event loop. */
  #handleLater(exchange: OpenExchange): void {
    // Nobody counts the chunks of its body before its turn.
    if (exchange.request.headers["transfer-encoding"]) exchange.connection?.countChunks(TURN_CHUNKS)
    exchange.meter.drive(() => this.#handle(exchange), {
      isGone: () => isGone(exchange),
      gone: () => {},
      done: () => {},
      failed: (error) => this.#parts.responder.fail(error, exchange),
    })
  }

  /** A fault in Serac ends this one connection, not the process. */
  #handle(exchange: OpenExchange): void {
    const { clients, steps, responder } = this.#parts
    if (clients.owesTooMuch(exchange.meter)) {
      exchange.request.socket.destroy()
      return
    }
    try {
      const answer = runSteps(steps, exchange) ?? this.#whenHigh(exchange)
      // No 100 Continue was sent. If the client sends the body anyway, it would be parsed as the next request, so the connection is closed.
      if (answer) {
        this.#discardBody(exchange)
        responder.send(exchange, exchange.isWaiting ? { ...answer, closes: true } : answer)
      }
    } catch (error) {
      responder.fail(error, exchange)
    }
  }

  /** Reads a body that no answer needs, and charges it. The connection of a body that is too long ends. */
  #discardBody(exchange: OpenExchange): void {
    const { options, clients } = this.#parts
    const limit = Math.min(options.maxBody, options.limits?.maxBody ?? options.maxBody)
    readBody(exchange, { limit, budget: clients.bodies }, (body) => {
      if (typeof body !== "string") body.release()
      else {
        exchange.meter.charge(ENDED_MILLISECONDS)
        exchange.request.socket.destroySoon()
      }
    })
  }

  /** Serves a request as soon as the chain has the height that it names. Most requests name none. */
  #whenHigh(exchange: OpenExchange): HttpResponse | undefined {
    const { minHeight, meter } = exchange
    if (minHeight === undefined || this.#parts.height() >= minHeight) return this.#serve(exchange)
    const waits = this.#parts.heightWaiters.add({
      client: meter.client,
      minHeight,
      isGone: () => isGone(exchange),
      done: (height) => meter.run(() => this.#afterWait(exchange, height, minHeight)),
      failed: (error) => this.#parts.responder.fail(error, exchange, UNREADABLE),
    })
    return waits ? undefined : tooLow(this.#parts.height(), minHeight)
  }

  #afterWait(exchange: OpenExchange, height: bigint, minHeight: bigint): void {
    const { responder } = this.#parts
    try {
      const answer = height < minHeight ? tooLow(height, minHeight) : this.#serve(exchange)
      if (answer) responder.send(exchange, { ...answer, closes: exchange.isWaiting || height < minHeight })
    } catch (error) {
      responder.fail(error, exchange)
    }
  }

  /** Returns the response of a route, or `undefined` if the response comes later. */
  #serve(exchange: OpenExchange): HttpResponse | undefined {
    const answer = this.#answerOf(exchange)
    if (!(answer instanceof Promise)) return answer
    const { responder } = this.#parts
    answer.then(
      (made) => {
        exchange.meter.charge(made.milliseconds ?? 0)
        responder.send(exchange, made)
      },
      (error) => responder.fail(error, exchange),
    )
    return undefined
  }

  #answerOf(exchange: OpenExchange): PageResponse | undefined {
    const { route, request, target } = exchange
    if (route?.kind === "events") {
      const { dialect, height, streams, responded } = this.#parts
      if (sendsStreamHeight(exchange, dialect)) exchange.headers = [...exchange.headers, ...heightHeader(height())]
      const refusal = streams.open(route.hub, exchange)
      if (!refusal) responded(200, exchange.meter.client)
      return refusal
    }
    if (route?.kind === "page") return route.answer(request.method ?? "", target.query, serverUrlOf(exchange))
    if (route?.kind === "rpc" && route.get && request.method === "GET") return route.get(target.query)
    if (route?.kind === "body") this.#parts.bodies.receive(exchange, route, exchange.subpath ?? "")
    else if (route) this.#parts.calls.receive(exchange, route)
    return undefined
  }
}
