import type { HttpParts } from "../httpParts.js"
import { isGone, type OpenExchange } from "../request/exchange.js"
import { type HttpResponse, send } from "./send.js"

/** Ends requests: with a response, or after a fault in Serac without one. */
export class Responder {
  readonly #parts: Pick<HttpParts, "responded" | "onFault">
  readonly #writeTimeout: number

  /** `writeTimeout` is the time that a client has to read a response, milliseconds. */
  constructor(parts: Pick<HttpParts, "responded" | "onFault">, writeTimeout: number) {
    this.#parts = parts
    this.#writeTimeout = writeTimeout
  }

  send(exchange: OpenExchange, answer: HttpResponse): void {
    const { response, headers, meter, connection } = exchange
    if (isGone(exchange)) {
      meter.release()
      return
    }
    this.#parts.responded?.(answer.status, meter.client)
    send(response, answer, headers, { meter, connection, writeTimeout: this.#writeTimeout })
  }

  /** Reports a fault in Serac, and ends the request with a response, by default with the end of the connection. */
  fail(error: unknown, exchange: OpenExchange, answer?: HttpResponse): void {
    this.#parts.onFault?.(error, exchange.request.url ?? "")
    exchange.meter.release()
    if (answer) this.send(exchange, { ...answer, closes: true })
    else exchange.response.destroy()
  }
}
