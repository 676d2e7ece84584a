import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Api } from "../api.js"
import { type Caller, handle } from "../dispatch.js"
import { EventHub } from "../events/hub.js"
import { NodeMetrics } from "../metrics/nodeMetrics.js"
import { noRoom, type Reply, tooLarge } from "../reply.js"
import { BodyBudget, readBody } from "./body.js"
import type { HeaderList } from "./cors.js"
import { Front } from "./front.js"
import { clientOf, RateLimiter } from "./limits.js"
import type { HttpOptions } from "./options.js"
import { type RpcRoute, routesOf } from "./routes.js"
import { type Answer, errorText, plainText, rpcAnswer, send } from "./send.js"
import { openStream } from "./stream.js"

/** Where a server listens. */
export interface Listening {
  readonly url: string
  readonly host: string
  readonly port: number
}

/** One request on its way, with the headers that its answer will carry. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly common: HeaderList
}

const NOT_READY = errorText(503, "API call rejected because chain is not done bootstrapping")
const TOO_MANY_STREAMS = errorText(503, "too many clients listen for events")

/** Serves an API over HTTP as AvalancheGo does (api.md §1). */
export class HttpServer {
  readonly #api: Api
  readonly #options: HttpOptions
  readonly #server: Server
  readonly #front: Front
  readonly #hub: EventHub
  readonly #metrics: NodeMetrics
  readonly #limiter: RateLimiter | undefined
  readonly #clientOf: (address: string, forwardedFor: string | undefined) => string
  readonly #budget: BodyBudget
  readonly #devBudget: BodyBudget
  #pending = 0

  constructor(api: Api, options: HttpOptions) {
    const { limits, writeTimeout, heartbeat, trustedProxies, maxBuffered, maxDevBody } = options
    const { node } = api.options
    this.#api = api
    this.#options = options
    this.#limiter = limits && new RateLimiter(limits, () => performance.now())
    this.#clientOf = clientOf(trustedProxies)
    this.#budget = new BodyBudget(maxBuffered)
    this.#devBudget = new BodyBudget(maxDevBody)
    const open = () => api.contexts.open()
    this.#hub = new EventHub({ node, open, stallMilliseconds: writeTimeout, heartbeatMilliseconds: heartbeat })
    this.#server = this.#create()
    this.#metrics = new NodeMetrics({
      height: () => this.#height(),
      mempoolSize: () => node.mempoolSize(),
      streams: () => this.#hub.size,
      pending: () => this.#pending,
    })
    api.observe = (method, seconds, hasFailed) => this.#metrics.called(method, seconds, hasFailed)
    this.#front = new Front(options, routesOf(api, this.#metrics))
  }

  /** Throws what the system says where the address is not to be had. */
  async listen(): Promise<Listening> {
    const { host, port } = this.#options
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject)
      this.#server.listen(port, host, () => {
        this.#server.off("error", reject)
        resolve()
      })
    })
    const { port: taken } = this.#server.address() as AddressInfo
    return { url: `http://${host.includes(":") ? `[${host}]` : host}:${taken}`, host, port: taken }
  }

  /** Takes no more requests, finishes those it has (for `stopTimeout` at most), and is gone. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#hub.close()
    this.#server.closeIdleConnections()
    const idle = setInterval(() => this.#server.closeIdleConnections(), 20)
    const end = setTimeout(() => this.#server.closeAllConnections(), this.#options.stopTimeout)
    await closed
    clearInterval(idle)
    clearTimeout(end)
    this.#metrics.close()
  }

  #create(): Server {
    const { readTimeout, headersTimeout, idleTimeout, maxConnections } = this.#options
    const times = {
      requestTimeout: readTimeout,
      headersTimeout: Math.min(headersTimeout, readTimeout),
      keepAliveTimeout: idleTimeout,
      connectionsCheckingInterval: Math.max(20, Math.min(5000, readTimeout / 4)),
    }
    const server = createServer(times, (request, response) => {
      const { common, outcome } = this.#front.admit(request)
      const exchange = { request, response, common }
      const answer = "route" in outcome ? this.#enter(outcome, exchange) : outcome
      if (answer) this.#send(exchange, answer)
    })
    server.maxConnections = maxConnections
    return server
  }

  /** The answer of a room, or nothing where it comes later. */
  #enter({ route, query }: Extract<ReturnType<Front["admit"]>["outcome"], { route: unknown }>, exchange: Exchange) {
    const { method = "" } = exchange.request
    if (route.kind === "rpc" && !(route.get && method === "GET")) return this.#call(route, exchange)
    const wait = this.#callerOf(exchange.request)?.admit(1)
    if (wait !== undefined) return { ...errorText(429, "too many requests"), headers: ["Retry-After", String(wait)] }
    if (route.kind === "events") return this.#listenForEvents(query, exchange)
    return route.kind === "page" ? route.answer(method, query) : route.get?.(query)
  }

  #listenForEvents(query: string, { request, response, common }: Exchange): Answer | undefined {
    const { method = "" } = request
    if (!this.#api.options.isReady()) return NOT_READY
    if (method !== "GET" && method !== "HEAD") return plainText(405, `GET method required, received ${method}`)
    if (this.#hub.size >= this.#options.maxStreams) return TOO_MANY_STREAMS
    this.#metrics.responded(200)
    openStream(this.#hub, request, response, common, query)
    return undefined
  }

  #call({ endpoint, isDev, waitsForChain }: RpcRoute, exchange: Exchange): Answer | undefined {
    const { request } = exchange
    const { method = "", headers } = request
    if (waitsForChain && !this.#api.options.isReady()) return NOT_READY
    if (method !== "POST") return plainText(405, `rpc: POST method required, received ${method}`)
    const type = (headers["content-type"] ?? "").split(";", 1)[0] as string
    if (type.toLowerCase() !== "application/json") return plainText(415, `rpc: unrecognized Content-Type: ${type}`)
    const limit = isDev ? this.#options.maxDevBody : this.#options.maxBody
    readBody(request, limit, isDev ? this.#devBudget : this.#budget, (body) => {
      if (body === "too large") this.#send(exchange, rpcAnswer(tooLarge(limit, endpoint.dialect)))
      else if (body === "no room" || this.#pending >= this.#options.maxPending) {
        this.#send(exchange, { ...rpcAnswer(noRoom(endpoint.dialect)), closes: true })
      } else this.#reply(exchange, handle(body, endpoint, this.#callerOf(request)))
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
    this.#metrics.responded(answer.status)
    send(response, answer, common, this.#options.writeTimeout)
  }

  /** Nobody in particular where nobody is limited. */
  #callerOf({ headers, socket }: IncomingMessage): Caller | undefined {
    if (!this.#limiter) return undefined
    const forwarded = headers["x-forwarded-for"]
    const hops = Array.isArray(forwarded) ? forwarded.join(",") : forwarded
    return this.#limiter.callerOf(this.#clientOf(socket.remoteAddress ?? "", hops))
  }

  #height(): number | undefined {
    if (!this.#api.options.isReady()) return undefined
    const opened = this.#api.contexts.open()
    try {
      return Number(opened.context.height)
    } finally {
      opened.release()
    }
  }
}
