import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { handle } from "../call/dispatch.js"
import { inDebt, noRoom, type Reply, tooLarge } from "../call/reply.js"
import type { EventHub } from "../events/hub.js"
import { BodyBudget, readBody } from "./body.js"
import { Clients } from "./clients.js"
import type { HeaderList } from "./cors.js"
import { type Entered, Front } from "./front.js"
import { Listener, type Listening } from "./listener.js"
import type { HttpOptions } from "./options.js"
import type { Route, Routes, RpcRoute } from "./routes.js"
import { type Answer, errorText, plainText, rpcAnswer, send } from "./send.js"
import { type ParserError, strangeRequest, strayAnswer, writeByHand } from "./strays.js"
import { openStream } from "./stream.js"

export type { Listening } from "./listener.js"

/** One request on its way, with the headers that its answer will carry. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly common: HeaderList
  /** The client sends its body only when it is told to. */
  readonly isWaiting: boolean
}

const NOT_READY = errorText(503, "API call rejected because chain is not done bootstrapping")
const TOO_MANY_STREAMS = errorText(503, "too many clients listen for events")

function tooManyText(wait: number): Answer {
  const answer = errorText(429, "too many requests")
  return { ...answer, headers: [...answer.headers, "Retry-After", String(wait)] }
}

/** What a server answers with. */
export interface HttpParts {
  readonly routes: Routes
  readonly hub: EventHub
  /** False while the chain is not ready to be asked. */
  isReady(): boolean
  /** Told the status of each response. */
  responded?(status: number): void
  /** Told of faults of ours. */
  onFault?(error: unknown, url: string): void
}

/** Serves an API over HTTP as AvalancheGo does (api.md §1). */
export class HttpServer {
  readonly #parts: HttpParts
  readonly #options: HttpOptions
  readonly #listener: Listener
  readonly #front: Front
  readonly #clients: Clients
  readonly #budget: BodyBudget
  readonly #privilegedBudget: BodyBudget
  #pending = 0

  constructor(parts: HttpParts, options: HttpOptions) {
    this.#parts = parts
    this.#options = options
    this.#clients = new Clients(options)
    this.#budget = new BodyBudget(options.maxBuffered)
    this.#privilegedBudget = new BodyBudget(options.maxDevBody)
    this.#listener = new Listener(options, {
      onConnection: (socket) => this.#clients.connected(socket),
      onRequest: (...asked) => this.#meet(...asked),
      onStray: (...stray) => this.#meetStray(...stray),
    })
    this.#front = new Front(options, parts.routes)
  }

  /** How many calls wait for their answer. */
  get pending(): number {
    return this.#pending
  }

  /** Throws what the system says where the address is not to be had. */
  listen(): Promise<Listening> {
    return this.#listener.listen()
  }

  /** Takes no more requests, finishes those it has (for `stopTimeout` at most), and is gone. */
  async close(): Promise<void> {
    const closed = this.#listener.close()
    this.#parts.hub.close()
    await closed
  }

  /** A fault of ours ends this one connection, not the process. */
  #meet(request: IncomingMessage, response: ServerResponse, isWaiting: boolean): void {
    try {
      const { common, outcome } = this.#front.admit(request)
      const exchange = { request, response, common, isWaiting }
      const answer = "route" in outcome ? this.#enter(outcome, exchange) : outcome
      // A body that was never asked for may come all the same, or not: the next request could not be told from it.
      if (answer) this.#send(exchange, isWaiting ? { ...answer, closes: true } : answer)
    } catch (error) {
      this.#parts.onFault?.(error, request.url ?? "")
      response.destroy()
    }
  }

  /** What Node takes for no request at all. */
  #meetStray(error: ParserError, socket: Duplex): void {
    const strange = strangeRequest(error)
    const { common, outcome } = strange ? this.#front.admit(strange) : { common: [], outcome: strayAnswer(error) }
    const answer = "route" in outcome ? this.#refuseMethod(outcome, strange?.method ?? "") : outcome
    this.#parts.responded?.(answer.status)
    writeByHand(socket, error, answer, common)
  }

  #refuseMethod({ route, query }: Entered, method: string): Answer {
    if (route.kind === "page") return route.answer(method, query)
    if (!this.#isOpen(route)) return NOT_READY
    return plainText(405, `${route.kind === "rpc" ? "rpc: POST" : "GET"} method required, received ${method}`)
  }

  /** The answer of a room, or nothing where it comes later. */
  #enter({ route, query }: Entered, exchange: Exchange): Answer | undefined {
    const { method = "" } = exchange.request
    if (route.kind === "rpc" && !(route.get && method === "GET")) return this.#call(route, exchange)
    const wait = this.#clients.callerOf(exchange.request)?.admit(1)
    if (wait !== undefined) return tooManyText(wait)
    if (route.kind === "events") return this.#listenForEvents(query, exchange)
    return route.kind === "page" ? route.answer(method, query) : route.get?.(query)
  }

  #listenForEvents(query: string, { request, response, common }: Exchange): Answer | undefined {
    const { method = "" } = request
    if (!this.#isOpen({ kind: "events" })) return NOT_READY
    if (method !== "GET" && method !== "HEAD") return plainText(405, `GET method required, received ${method}`)
    if (this.#parts.hub.size >= this.#options.maxStreams) return TOO_MANY_STREAMS
    this.#parts.responded?.(200)
    openStream(this.#parts.hub, request, response, common, query)
    return undefined
  }

  #isOpen(route: Route): boolean {
    const needsChain = route.kind === "events" || (route.kind === "rpc" && route.endpoint.service.needsChain)
    return !needsChain || this.#parts.isReady()
  }

  #call(route: RpcRoute, exchange: Exchange): Answer | undefined {
    const { endpoint } = route
    const { isPrivileged } = endpoint.service
    const { request, response, isWaiting } = exchange
    const { method = "", headers } = request
    if (!this.#isOpen(route)) return NOT_READY
    if (method !== "POST") return plainText(405, `rpc: POST method required, received ${method}`)
    const type = (headers["content-type"] ?? "").split(";", 1)[0] as string
    if (type.toLowerCase() !== "application/json") return plainText(415, `rpc: unrecognized Content-Type: ${type}`)
    const caller = this.#clients.callerOf(request)
    const debt = caller?.admit(0)
    // Reading the body would cost us more than it cost them to send it.
    if (debt !== undefined) return { ...rpcAnswer(inDebt(debt, endpoint.dialect)), closes: true }
    const { maxBody, maxDevBody, limits } = this.#options
    const limit = isPrivileged ? maxDevBody : Math.min(maxBody, limits?.maxBody ?? maxBody)
    if (isWaiting && !(Number(headers["content-length"]) > limit)) response.writeContinue()
    readBody(request, limit, isPrivileged ? this.#privilegedBudget : this.#budget, (body) => {
      if (body === "too large") this.#send(exchange, rpcAnswer(tooLarge(limit, endpoint.dialect)))
      else if (body === "no room" || this.#pending >= this.#options.maxPending) {
        this.#send(exchange, { ...rpcAnswer(noRoom(endpoint.dialect)), closes: true })
      } else this.#reply(exchange, handle(body, endpoint, caller))
    })
    return undefined
  }

  #reply(exchange: Exchange, reply: Reply | Promise<Reply>): void {
    if (!(reply instanceof Promise)) {
      this.#send(exchange, rpcAnswer(reply))
      return
    }
    this.#pending++
    reply
      .then((ready) => this.#send(exchange, rpcAnswer(ready)))
      .catch(() => exchange.response.destroy())
      .finally(() => this.#pending--)
  }

  #send({ response, common }: Exchange, answer: Answer): void {
    if (response.destroyed) return
    this.#parts.responded?.(answer.status)
    send(response, answer, common, this.#options.writeTimeout)
  }
}
