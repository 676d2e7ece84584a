import { AnswerHeads } from "./answerHeads.js"
import type { Clients } from "./clients.js"
import { isGone, type OpenExchange } from "./exchange.js"
import type { HttpParts } from "./httpParts.js"
import { type HttpResponse, send } from "./send.js"

/** Ends requests: with a response, or after a fault in Serac without one. */
export class Responder {
  readonly #parts: Pick<HttpParts, "responded" | "onFault">
  readonly #clients: Clients
  readonly #writeTimeout: number
  readonly #heads = new AnswerHeads(() => Date.now())

  /** `writeTimeout` is the time that a client has to read a response, milliseconds. */
  constructor(parts: Pick<HttpParts, "responded" | "onFault">, clients: Clients, writeTimeout: number) {
    this.#parts = parts
    this.#clients = clients
    this.#writeTimeout = writeTimeout
  }

  send(exchange: OpenExchange, answer: HttpResponse): void {
    const { response, headers, meter, connection } = exchange
    this.#clients.end(connection)
    if (isGone(exchange)) {
      meter.release()
      return
    }
    this.#parts.responded?.(answer.status)
    send(response, answer, headers, { meter, connection, writeTimeout: this.#writeTimeout, heads: this.#heads })
  }

  /** Reports a fault in Serac, and ends the request with a response, by default with the end of the connection. */
  fail(error: unknown, exchange: OpenExchange, answer?: HttpResponse): void {
    this.#parts.onFault?.(error, exchange.request.url ?? "")
    exchange.meter.release()
    if (answer) this.send(exchange, { ...answer, closes: true })
    else exchange.response.destroy()
  }
}
