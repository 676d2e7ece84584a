import { answerBody } from "../../call/dispatch.js"
import type { Caller, Endpoint } from "../../call/endpoint.js"
import { type Reply, serverFull, tooLarge, tooManyChunks } from "../../call/reply.js"
import { ClientBudget } from "../../limits/clientBudget.js"
import type { Meter, WorkCallbacks } from "../../limits/meter.js"
import type { Clients } from "../connection/clients.js"
import type { HttpOptions } from "../options.js"
import { type Body, type BodyFault, MAX_SMALL_CHUNKS, readBody } from "../request/body.js"
import { isGone, type OpenExchange } from "../request/exchange.js"
import { sendsHeight } from "../request/minHeight.js"
import { type HttpResponse, rpcResponse } from "../response/send.js"
import type { RpcRoute } from "./routes.js"
import { serverUrlOf } from "./serverAddress.js"

/** Parts of the server that calls use. */
export interface CallsOptions {
  readonly options: HttpOptions
  readonly clients: Clients
  /** Calls and forwarded requests that wait for their answer. */
  readonly pending: ClientBudget
  send(exchange: OpenExchange, answer: HttpResponse): void
  onFault(error: unknown, exchange: OpenExchange): void
}

/** Reads the bodies of JSON-RPC calls and answers them. */
export class Calls {
  readonly #parts: CallsOptions
  readonly #privilegedBodies: ClientBudget
  readonly #pendingParts: PendingParts

  constructor(parts: CallsOptions) {
    this.#parts = parts
    this.#privilegedBodies = new ClientBudget(parts.options.maxDevBody)
    const { send, onFault } = parts
    this.#pendingParts = {
      send,
      onFault,
      onWaited: ({ client }) => parts.pending.give(client, 1),
    }
  }

  /** Reads the body of a call, and answers it when it is complete. */
  receive(exchange: OpenExchange, { endpoint }: RpcRoute): void {
    const { request, response, meter, isWaiting } = exchange
    const { options, clients, send } = this.#parts
    const { isPrivileged } = endpoint.service
    const limit = isPrivileged ? options.maxDevBody : Math.min(options.maxBody, options.limits?.maxBody ?? options.maxBody)
    if (isWaiting && !(Number(request.headers["content-length"]) > limit)) response.writeContinue()
    const budget = isPrivileged ? this.#privilegedBodies : clients.bodies
    const refuse = (reply: Reply) => send(exchange, { ...rpcResponse(reply), closes: true })
    const taken = (body: Body | BodyFault) => {
      if (body === "too large") refuse(tooLarge(limit, endpoint.dialect))
      else if (body === "too many chunks") refuse(tooManyChunks(MAX_SMALL_CHUNKS, endpoint.dialect))
      else if (body === "server full") refuse(serverFull(endpoint.dialect))
      else if (!this.#parts.pending.isBelowLimit(meter.client)) {
        body.release()
        refuse(serverFull(endpoint.dialect))
      } else this.#answer(exchange, endpoint, body)
    }
    readBody(exchange, { limit, budget, meter }, (body) => {
      try {
        meter.run(() => taken(body))
      } catch (error) {
        this.#parts.onFault(error, exchange)
      }
    })
  }

  #answer(exchange: OpenExchange, endpoint: Endpoint, body: Body): void {
    const { meter, foreignOrigin } = exchange
    const caller: Caller = { admission: meter, serverUrl: serverUrlOf(exchange), foreignOrigin }
    const call = new PendingCall(exchange, body, this.#pendingParts)
    meter.drive(() => answerBody(body.bytes, endpoint, caller), call)
    // Most calls have been answered by now and never waited. The limit was checked above, and no other call began meanwhile.
    if (call.hasToWait()) this.#parts.pending.take(meter.client, 1)
  }
}

/** Parts of the server that a call uses until it is answered. */
interface PendingParts extends Pick<CallsOptions, "send" | "onFault"> {
  /** Called at the end of a call that had to wait. */
  onWaited(meter: Meter): void
}

/** A call whose answer is not ready yet. */
class PendingCall implements WorkCallbacks<Reply> {
  readonly #exchange: OpenExchange
  readonly #body: Body
  readonly #parts: PendingParts
  #isWaiting = false
  #isOver = false

  constructor(exchange: OpenExchange, body: Body, parts: PendingParts) {
    this.#exchange = exchange
    this.#body = body
    this.#parts = parts
  }

  hasToWait(): boolean {
    this.#isWaiting = !this.#isOver
    return this.#isWaiting
  }

  isGone(): boolean {
    return isGone(this.#exchange)
  }

  done(reply: Reply): void {
    this.#end()
    this.#parts.send(this.#exchange, rpcResponse(reply, sendsHeight(this.#exchange)))
  }

  failed(error: unknown): void {
    this.#end()
    this.#parts.onFault(error, this.#exchange)
  }

  gone(): void {
    this.#end()
    // A batch may have reserved memory for answers that are not sent.
    this.#exchange.meter.release()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#body.release()
    if (this.#isWaiting) this.#parts.onWaited(this.#exchange.meter)
  }
}
