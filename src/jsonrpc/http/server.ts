import { ClientBudget } from "../limits/clientBudget.js"
import { Clients } from "./connection/clients.js"
import { type ListenAddress, Listener } from "./connection/listener.js"
import type { HttpParts } from "./httpParts.js"
import type { HttpOptions } from "./options.js"
import { HeightWaiters } from "./request/heightWaiters.js"
import { RequestHandler } from "./request/requestHandler.js"
import { stepsOf } from "./request/steps.js"
import { Responder } from "./response/responder.js"
import { Bodies } from "./route/bodies.js"
import { Calls, type CallsOptions } from "./route/calls.js"
import { Streams } from "./stream/streams.js"
import { WebSocketRequests } from "./stream/webSocketRequests.js"

export type { ListenAddress } from "./connection/listener.js"

/** Serves an API over HTTP as AvalancheGo does. Each request passes the steps and then reaches its route. */
export class HttpServer {
  readonly #parts: HttpParts
  readonly #clients: Clients
  readonly #pending: ClientBudget
  readonly #listener: Listener
  readonly #requests: RequestHandler
  readonly #heightWaiters: HeightWaiters
  readonly #streams: Streams
  readonly #bodies: Bodies

  constructor(parts: HttpParts, options: HttpOptions) {
    this.#parts = parts
    this.#clients = new Clients(options, (address) => parts.onUnknownProxy?.(address))
    this.#pending = new ClientBudget(options.maxPending, options.limits?.pending)
    const clients = this.#clients
    const steps = stepsOf({ ...options, ...parts, isReady: () => parts.isReady() })
    const responder = new Responder(parts, options.writeTimeout)
    const streams = new Streams(options)
    this.#streams = streams
    const responded = (status: number, client: string) => parts.responded?.(status, client)
    const bodyParts: CallsOptions = {
      options,
      clients,
      pending: this.#pending,
      send: (exchange, answer) => responder.send(exchange, answer),
      onFault: (error, exchange) => responder.fail(error, exchange),
    }
    const [calls, bodies] = [new Calls(bodyParts), new Bodies(bodyParts)]
    this.#bodies = bodies
    const { dialect } = parts
    const height = () => parts.height()
    const { maxPending, limits } = options
    this.#heightWaiters = new HeightWaiters(height, { total: maxPending, each: limits?.pending ?? maxPending })
    const heightWaiters = this.#heightWaiters
    this.#requests = new RequestHandler({
      options,
      clients,
      steps,
      calls,
      bodies,
      streams,
      responder,
      responded,
      heightWaiters,
      dialect,
      height,
    })
    const { onFault } = parts
    const upgrades = { clients, steps, streams, heightWaiters, responded, height, ...(onFault ? { onFault } : {}) }
    const webSockets = new WebSocketRequests(upgrades)
    this.#listener = new Listener(options, {
      onConnection: (socket) => clients.connected(socket),
      onRequest: (...request) => this.#requests.onRequest(...request),
      onUpgrade: (...upgrade) => webSockets.onUpgrade(...upgrade),
      onMalformed: (...malformed) => this.#requests.onMalformed(...malformed),
    })
  }

  /** Number of calls and forwarded requests that wait for their answer. */
  get pending(): number {
    return this.#pending.used
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
  listen(): Promise<ListenAddress> {
    return this.#listener.listen()
  }

  /** Stops accepting requests, and waits for those in progress for at most `stopTimeout`. */
  async close(): Promise<void> {
    const closed = this.#listener.close()
    this.#heightWaiters.close()
    this.#clients.connections.endUnused()
    for (const hub of this.#parts.hubs) hub.close()
    this.#streams.close()
    this.#bodies.close()
    await closed
    this.#clients.close()
  }
}
