import type { ServerResponse } from "node:http"
import { type BodyFault, MAX_SMALL_CHUNKS, readBody } from "../request/body.js"
import type { OpenExchange } from "../request/exchange.js"
import { errorText, type HttpResponse } from "../response/send.js"
import type { BodyRoute } from "./bodyRoute.js"
import type { CallsOptions } from "./calls.js"

/** The time that a server which stops gives to requests of body routes, milliseconds. Who answers them may hang. */
const LAST_MILLISECONDS = 1000

/** Reads the bodies of requests to body routes and answers them, up to the limit of pending calls. */
export class Bodies {
  readonly #parts: CallsOptions
  readonly #stopping = new AbortController()

  constructor(parts: CallsOptions) {
    this.#parts = parts
  }

  /** Ends the requests in progress soon. */
  close(): void {
    setTimeout(() => this.#stopping.abort(), LAST_MILLISECONDS).unref()
  }

  /** Reads the body of a request, and answers it when it is complete. `subpath` is the part of the path below the route's own. */
  receive(exchange: OpenExchange, route: BodyRoute, subpath: string): void {
    const { request, response, meter, isWaiting } = exchange
    const { options, clients, pending, send } = this.#parts
    const limit = Math.min(options.maxBody, options.limits?.maxBody ?? options.maxBody)
    if (isWaiting && !(Number(request.headers["content-length"]) > limit)) response.writeContinue()
    readBody(exchange, { limit, budget: clients.bodies }, (body) => {
      if (typeof body === "string") send(exchange, { ...refusalOf(body, limit), closes: true })
      else if (!pending.isBelowLimit(meter.client)) {
        body.release()
        send(exchange, { ...refusalOf("server full", limit), closes: true })
      } else {
        const { method = "", headers } = request
        const { "content-type": contentType, origin } = headers
        const routed = {
          method,
          subpath,
          query: exchange.target.query,
          contentType,
          origin,
          body: body.bytes,
          request,
          answerHeaders: exchange.headers,
          ending: AbortSignal.any([this.#stopping.signal, goneSignal(response)]),
          reserve: (size: number) => meter.reserve(size),
        }
        this.#answer(exchange, route.answer(routed), body.release)
      }
    })
  }

  async #answer(exchange: OpenExchange, answer: Promise<HttpResponse>, release: () => void): Promise<void> {
    const { meter } = exchange
    const { pending, send, onFault } = this.#parts
    pending.take(meter.client, 1)
    try {
      const made = await answer
      meter.charge(made.milliseconds ?? 0)
      send(exchange, made)
    } catch (error) {
      onFault(error, exchange)
    } finally {
      pending.give(meter.client, 1)
      release()
    }
  }
}

/** Returns a signal that is aborted when a response has been sent, or its client has gone. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once("close", () => gone.abort())
  if (response.destroyed) gone.abort()
  return gone.signal
}

function refusalOf(fault: BodyFault, limit: number): HttpResponse {
  if (fault === "too large") return errorText(413, `the body is longer than ${limit} bytes`)
  if (fault === "too many chunks") return errorText(413, `the body comes in more than ${MAX_SMALL_CHUNKS} small chunks`)
  return errorText(503, "too many requests are being answered")
}
