import { type IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { EventHub } from "../events/hub.js"
import { PendingCount } from "../limits/pendingCount.js"
import type { Dialect } from "../schema/param.js"
import { AnswerHeads } from "./answerHeads.js"
import { Bodies } from "./bodies.js"
import { Calls, type CallsOptions } from "./calls.js"
import { Clients } from "./clients.js"
import type { Exchange, HttpStep, OpenExchange } from "./exchange.js"
import { HeightWaiters } from "./heightWaiters.js"
import { Listener, type Listening } from "./listener.js"
import { malformedRequestAnswer, type ParserError, unknownMethodRequest, writeByHand } from "./malformedRequests.js"
import { tooLow } from "./minHeight.js"
import type { HttpOptions } from "./options.js"
import type { PageAnswer, Routes, Subtrees } from "./routes.js"
import { errorText, type HttpResponse, heightHeader, send } from "./send.js"
import { serverUrlOf } from "./serverUrl.js"
import type { StaticFiles } from "./staticFiles.js"
import { stepsOf, tooManyRequests } from "./steps.js"
import { Streams } from "./streams.js"
import { NO_WEB_SOCKET } from "./webSockets.js"

export type { Listening } from "./listener.js"

/** Parts with which the HTTP server answers requests. */
export interface HttpParts {
  readonly dialect: Dialect
  readonly routes: Routes
  /** Routes that also have every path below their own. */
  readonly subtrees?: Subtrees
  readonly hubs: readonly EventHub[]
  /** Files that are served from memory. */
  readonly files: StaticFiles
  /** Returns false while the chain is not ready. */
  isReady(): boolean
  /** Returns the height of the state that an answer would be read from now. */
  height(): bigint
  /** Receives the units that a client was charged. */
  onUnits?(client: string, units: number): void
  /** Called with the status of each response. */
  responded?(status: number): void
  /** Called with faults in Serac. */
  onFault?(error: unknown, url: string): void
}

/** The maximum time that Node takes to parse a request and to write its answer, milliseconds. */
const REQUEST_MILLISECONDS = 0.2

/** Serves an API over HTTP as AvalancheGo does (api.md §1). Each request passes the steps and then reaches its route. */
export class HttpServer {
  readonly #parts: HttpParts
  readonly #options: HttpOptions
  readonly #listener: Listener
  readonly #steps: readonly HttpStep[]
  readonly #clients: Clients
  readonly #pending: PendingCount
  readonly #calls: Calls
  readonly #bodies: Bodies
  readonly #streams: Streams
  readonly #heightWaiters: HeightWaiters
  readonly #heads = new AnswerHeads(() => Date.now())

  constructor(parts: HttpParts, options: HttpOptions) {
    this.#parts = parts
    this.#options = options
    this.#clients = new Clients(options, parts.onUnits)
    this.#steps = stepsOf({ ...options, ...parts, isReady: () => parts.isReady() })
    this.#pending = new PendingCount(options.maxPending, options.limits?.pending)
    const bodies: CallsOptions = {
      options,
      clients: this.#clients,
      pending: this.#pending,
      send: (exchange, answer) => this.#send(exchange, answer),
      onFault: (error, exchange) => this.#onFault(error, exchange),
    }
    this.#calls = new Calls(bodies)
    this.#bodies = new Bodies(bodies)
    this.#streams = new Streams(options)
    this.#heightWaiters = new HeightWaiters(() => parts.height())
    this.#listener = new Listener(options, {
      onConnection: (socket) => this.#clients.connected(socket),
      onRequest: (...request) => this.#onRequest(...request),
      onUpgrade: (...upgrade) => this.#onUpgrade(...upgrade),
      onStray: (...stray) => this.#onStray(...stray),
    })
  }

  /** Number of calls and forwarded requests that wait for their answer. */
  get pending(): number {
    return this.#pending.size
  }

  /** Units that clients were charged since the start; 0 if they are not limited. */
  get charged(): number {
    return this.#clients.charged
  }

  /** Bytes of answers that clients have not read yet. */
  get unread(): number {
    return this.#clients.answers.used
  }

  /** Listens at the address. Throws the system's error if the address is not available. */
  listen(): Promise<Listening> {
    return this.#listener.listen()
  }

  /** Serves a connection that another process or server has accepted. */
  adopt(socket: Socket): void {
    this.#listener.adopt(socket)
  }

  /** Charges a client for units that it used in another process of the same node. */
  chargeElsewhere(client: string, units: number): void {
    this.#clients.chargeElsewhere(client, units)
  }

  /** Stops accepting requests, and waits for those in progress for at most `stopTimeout`. */
  async close(): Promise<void> {
    const closed = this.#listener.close()
    this.#clients.endUnusedConnections()
    for (const hub of this.#parts.hubs) hub.close()
    await closed
    this.#clients.close()
  }

  #onRequest(request: IncomingMessage, response: ServerResponse, isWaiting: boolean): void {
    const connection = this.#clients.begin(request.socket, response)
    const meter = this.#clients.meterOf(request, connection)
    meter.charge(REQUEST_MILLISECONDS)
    const exchange = { request, response, meter, connection, isWaiting, headers: [], target: NO_TARGET, route: undefined }
    const turn = this.#clients.turnOf(meter, connection)
    if (turn === "now") meter.run(() => this.#meet(exchange))
    else if (turn === "later") this.#meetLater(exchange)
    else request.socket.destroy()
  }

  /** Handles a request for a WebSocket. It passes the steps like any other request. */
  #onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const response = new ServerResponse(request)
    response.assignSocket(socket)
    response.once("finish", () => socket.end())
    const connection = this.#clients.begin(socket, response)
    const meter = this.#clients.meterOf(request, connection)
    meter.charge(REQUEST_MILLISECONDS)
    const exchange = { request, response, meter, connection, isWaiting: false, headers: [], target: NO_TARGET, route: undefined }
    meter.run(() => this.#upgrade(exchange, head))
  }

  #upgrade(exchange: OpenExchange, head: Buffer): void {
    try {
      const answer = this.#refusalOf(exchange) ?? this.#webSocket(exchange, head)
      if (answer) this.#send(exchange, { ...answer, closes: true })
      else this.#parts.responded?.(101)
    } catch (error) {
      this.#onFault(error, exchange)
    }
  }

  /** Browsers let a page open any WebSocket, so a page that may not read answers is refused here. */
  #webSocket(exchange: OpenExchange, head: Buffer): HttpResponse | undefined {
    const { route, request, headers } = exchange
    const { origin = "" } = request.headers
    if (origin !== "" && !headers.includes("Access-Control-Allow-Origin")) return WRONG_ORIGIN
    if (route?.kind === "events") return this.#streams.openWebSocket(route.hub, exchange, head)
    if (route?.kind !== "body") return NO_WEB_SOCKET
    return this.#streams.openTunnel(route, exchange, head, (refusal) => this.#send(exchange, { ...refusal, closes: true }))
  }

  /** Handles a request in the client's next turn of the event loop. */
  #meetLater(exchange: OpenExchange): void {
    exchange.meter.drive(() => this.#meet(exchange), {
      isGone: () => exchange.response.destroyed,
      gone: () => {},
      done: () => {},
      failed: (error) => this.#onFault(error, exchange),
    })
  }

  /** A fault in Serac ends this one connection, not the process. */
  #meet(exchange: OpenExchange): void {
    if (this.#clients.owesTooMuch(exchange.meter)) {
      exchange.request.socket.destroy()
      return
    }
    try {
      const answer = this.#refusalOf(exchange) ?? this.#whenHigh(exchange)
      // No 100 Continue was sent. If the client sends the body anyway, it would be parsed as the next request, so the connection is closed.
      if (answer) this.#send(exchange, exchange.isWaiting ? { ...answer, closes: true } : answer)
    } catch (error) {
      this.#onFault(error, exchange)
    }
  }

  /** Returns the response of the first step that has one. A client in debt gets only the response about its debt. */
  #refusalOf(exchange: Exchange): HttpResponse | undefined {
    for (const step of this.#steps) {
      const answer = step.run(exchange)
      if (!answer) continue
      const seconds = answer.status === 429 ? undefined : exchange.meter.debtSeconds
      return seconds === undefined ? answer : { ...tooManyRequests(seconds), closes: true }
    }
    return undefined
  }

  /** Serves a request as soon as the chain has the height that it names. Most requests name none. */
  #whenHigh(exchange: OpenExchange): HttpResponse | undefined {
    const { minHeight, meter, response } = exchange
    if (minHeight === undefined || this.#parts.height() >= minHeight) return this.#serve(exchange)
    const { maxPending, limits } = this.#options
    const isFull =
      this.#heightWaiters.size >= maxPending || this.#heightWaiters.sizeOf(meter.client) >= (limits?.pending ?? maxPending)
    if (isFull) return tooLow(this.#parts.height(), minHeight)
    this.#heightWaiters.add({
      client: meter.client,
      minHeight,
      isGone: () => response.destroyed,
      done: (height) => meter.run(() => this.#afterWait(exchange, height, minHeight)),
    })
    return undefined
  }

  #afterWait(exchange: OpenExchange, height: bigint, minHeight: bigint): void {
    try {
      const answer = height < minHeight ? tooLow(height, minHeight) : this.#serve(exchange)
      if (answer) this.#send(exchange, { ...answer, closes: exchange.isWaiting || height < minHeight })
    } catch (error) {
      this.#onFault(error, exchange)
    }
  }

  /** Returns the response of a route, or `undefined` if the response comes later. */
  #serve(exchange: OpenExchange): HttpResponse | undefined {
    const answer = this.#answerOf(exchange)
    if (!(answer instanceof Promise)) return answer
    answer.then(
      (made) => {
        exchange.meter.charge(made.milliseconds ?? 0)
        this.#send(exchange, made)
      },
      (error) => this.#onFault(error, exchange),
    )
    return undefined
  }

  #answerOf(exchange: OpenExchange): PageAnswer | undefined {
    const { route, request, target } = exchange
    if (route?.kind === "events") {
      if (tellsStreamHeight(exchange, this.#parts))
        exchange.headers = [...exchange.headers, ...heightHeader(this.#parts.height())]
      const refusal = this.#streams.open(route.hub, exchange)
      if (!refusal) this.#parts.responded?.(200)
      return refusal
    }
    if (route?.kind === "page") return route.answer(request.method ?? "", target.query, serverUrlOf(exchange))
    if (route?.kind === "rpc" && route.get && request.method === "GET") return route.get(target.query)
    if (route?.kind === "body") this.#bodies.receive(exchange, route, exchange.rest ?? "")
    else if (route) this.#calls.receive(exchange, route)
    return undefined
  }

  /** Answers bytes that Node does not recognise as a request. */
  #onStray(error: ParserError, socket: Socket): void {
    const meter = this.#clients.meterAt(socket)
    meter.charge(REQUEST_MILLISECONDS)
    meter.run(() => {
      const request = unknownMethodRequest(error)
      const exchange: Exchange | undefined = request && { request, meter, headers: [], target: NO_TARGET, route: undefined }
      const answer = exchange ? (this.#refusalOf(exchange) ?? pageOf(exchange)) : malformedRequestAnswer(error)
      const write = (made: HttpResponse) => {
        meter.charge(made.milliseconds ?? 0)
        this.#parts.responded?.(made.status)
        if (this.#clients.isFree(socket)) writeByHand(socket, error, made, exchange?.headers ?? [])
        else socket.destroy()
      }
      if (answer instanceof Promise) answer.then(write, () => socket.destroy())
      else write(answer)
    })
  }

  #send({ request, response, headers, meter, connection }: OpenExchange, answer: HttpResponse): void {
    this.#clients.end(connection)
    if (response.destroyed || request.socket.destroyed) {
      meter.release()
      return
    }
    this.#parts.responded?.(answer.status)
    send(response, answer, headers, { meter, connection, writeTimeout: this.#options.writeTimeout, heads: this.#heads })
  }

  #onFault(error: unknown, { request, response, meter }: OpenExchange): void {
    this.#parts.onFault?.(error, request.url ?? "")
    meter.release()
    response.destroy()
  }
}

const tellsStreamHeight = ({ minHeight }: Exchange, { dialect }: HttpParts): boolean =>
  dialect === "contract" || minHeight !== undefined

const WRONG_ORIGIN = errorText(403, "pages of this origin may not read here: --http-allowed-origins names those that may")

const NO_TARGET = { path: "", query: "" }

/** A request with a method that Node does not know passes the steps only if its route is a page, which answers any method. */
function pageOf(exchange: Exchange): PageAnswer {
  const { route, request, target } = exchange
  if (route?.kind !== "page") throw new Error(`${request.method} passed the steps`)
  return route.answer(request.method ?? "", target.query, serverUrlOf(exchange))
}
