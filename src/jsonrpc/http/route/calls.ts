import { answerBody } from "../../call/dispatch.js"
import type { Caller, Endpoint } from "../../call/endpoint.js"
import { type Reply, serverFull, tooLarge, tooManyChunks } from "../../call/reply.js"
import { ClientBudget } from "../../limits/clientBudget.js"
import type { WorkCallbacks } from "../../limits/meter.js"
import type { Clients } from "../connection/clients.js"
import type { HttpOptions } from "../options.js"
import { type Body, type BodyFault, type BodyLimits, MAX_SMALL_CHUNKS, readBody } from "../request/body.js"
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
  /** The limits of ordinary bodies, and of those of the private chain's own interface. */
  readonly #limits: BodyLimits
  readonly #privilegedLimits: BodyLimits

  constructor(parts: CallsOptions) {
    this.#parts = parts
    const { maxBody, maxDevBody, limits } = parts.options
    this.#limits = { limit: Math.min(maxBody, limits?.maxBody ?? maxBody), budget: parts.clients.bodies }
    this.#privilegedLimits = { limit: maxDevBody, budget: new ClientBudget(maxDevBody) }
  }

  /** Reads the body of a call, and answers it when it is complete. */
  receive(exchange: OpenExchange, { endpoint }: RpcRoute): void {
    const { request, response, meter, isWaiting } = exchange
    const limits = endpoint.service.isPrivileged ? this.#privilegedLimits : this.#limits
    if (isWaiting && !(Number(request.headers["content-length"]) > limits.limit)) response.writeContinue()
    const call = new ReceivedCall(exchange, endpoint, this.#parts)
    readBody(exchange, limits, (body) => {
      try {
        meter.run(() => call.receive(body, limits.limit))
      } catch (error) {
        this.#parts.onFault(error, exchange)
      }
    })
  }
}

/** A call from the end of its body to its answer. */
class ReceivedCall implements WorkCallbacks<Reply> {
  readonly #exchange: OpenExchange
  readonly #endpoint: Endpoint
  readonly #parts: CallsOptions
  #body: Body | undefined
  #isWaiting = false

  constructor(exchange: OpenExchange, endpoint: Endpoint, parts: CallsOptions) {
    this.#exchange = exchange
    this.#endpoint = endpoint
    this.#parts = parts
  }

  /** Answers a body, or refuses it. `limit` is the maximum size of a body. */
  receive(body: Body | BodyFault, limit: number): void {
    const { dialect } = this.#endpoint
    if (body === "too large") this.#refuse(tooLarge(limit, dialect))
    else if (body === "too many chunks") this.#refuse(tooManyChunks(MAX_SMALL_CHUNKS, dialect))
    else if (body === "server full") this.#refuse(serverFull(dialect))
    else if (!this.#parts.pending.isBelowLimit(this.#exchange.meter.client)) {
      body.release()
      this.#refuse(serverFull(dialect))
    } else this.#answer(body)
  }

  #refuse(reply: Reply): void {
    this.#parts.send(this.#exchange, { ...rpcResponse(reply), closes: true })
  }

  #answer(body: Body): void {
    this.#body = body
    const { meter, foreignOrigin } = this.#exchange
    const caller: Caller = { admission: meter, serverUrl: serverUrlOf(this.#exchange), foreignOrigin }
    meter.drive(() => answerBody(body.bytes, this.#endpoint, caller), this)
    // Most calls have been answered by now and never waited. The limit was checked above, and no other call began meanwhile.
    if (!this.#body) return
    this.#isWaiting = true
    this.#parts.pending.take(meter.client, 1)
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

  /** Releases the body, and gives back the place among the pending calls. */
  #end(): void {
    this.#body?.release()
    if (this.#isWaiting) this.#parts.pending.give(this.#exchange.meter.client, 1)
    this.#body = undefined
    this.#isWaiting = false
  }
}
