import { ClientBudget } from "../limits/clientBudget.js"
import { Bodies } from "./bodies.js"
import { Calls, type CallsOptions } from "./calls.js"
import { Clients } from "./clients.js"
import type { HttpParts } from "./httpParts.js"
import { type ListenAddress, Listener } from "./listener.js"
import type { HttpOptions } from "./options.js"
import { RequestHandler } from "./requestHandler.js"
import { Responder } from "./responder.js"
import { stepsOf } from "./steps.js"
import { StrayRequests } from "./strayRequests.js"
import { Streams } from "./streams.js"
import { WebSocketRequests } from "./webSocketRequests.js"

export type { ListenAddress } from "./listener.js"

/** Serves an API over HTTP as AvalancheGo does (api.md §1). Each request passes the steps and then reaches its route. */
export class HttpServer {
  readonly #parts: HttpParts
  readonly #clients: Clients
  readonly #pending: ClientBudget
  readonly #listener: Listener
  readonly #requests: RequestHandler

  constructor(parts: HttpParts, options: HttpOptions) {
    this.#parts = parts
    this.#clients = new Clients(options)
    this.#pending = new ClientBudget(options.maxPending, options.limits?.pending)
    const clients = this.#clients
    const steps = stepsOf({ ...options, ...parts, isReady: () => parts.isReady() })
    const responder = new Responder(parts, clients, options.writeTimeout)
    const streams = new Streams(options)
    const responded = (status: number) => parts.responded?.(status)
    const bodyParts: CallsOptions = {
      options,
      clients,
      pending: this.#pending,
      send: (exchange, answer) => responder.send(exchange, answer),
      onFault: (error, exchange) => responder.fail(error, exchange),
    }
    const [calls, bodies] = [new Calls(bodyParts), new Bodies(bodyParts)]
    const { dialect } = parts
    const height = () => parts.height()
    this.#requests = new RequestHandler({
      options,
      clients,
      steps,
      calls,
      bodies,
      streams,
      responder,
      responded,
      dialect,
      height,
    })
    const webSockets = new WebSocketRequests({ clients, steps, streams, responder, responded })
    const strays = new StrayRequests(clients, steps, responded)
    this.#listener = new Listener(options, {
      onConnection: (...connection) => clients.connected(...connection),
      paceOf: (socket) => clients.paceOf(socket),
      onRequest: (...request) => this.#requests.onRequest(...request),
      onUpgrade: (...upgrade) => webSockets.open(...upgrade),
      onStray: (...stray) => strays.answer(...stray),
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
    this.#requests.close()
    this.#clients.endUnusedConnections()
    for (const hub of this.#parts.hubs) hub.close()
    await closed
    this.#clients.close()
  }
}
