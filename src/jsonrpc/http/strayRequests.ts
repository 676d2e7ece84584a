import type { Socket } from "node:net"
import { type Clients, REQUEST_MILLISECONDS } from "./clients.js"
import { type Exchange, type HttpStep, NO_TARGET } from "./exchange.js"
import { malformedRequestAnswer, type ParserError, unknownMethodRequest, writeRawResponse } from "./malformedRequests.js"
import type { PageAnswer } from "./routes.js"
import { runSteps } from "./runSteps.js"
import type { HttpResponse } from "./send.js"
import { serverAddressOf, serverUrlOf } from "./serverAddress.js"

/** Answers bytes that Node does not recognise as a request. `responded` is called with the status. */
export class StrayRequests {
  readonly #clients: Clients
  readonly #steps: readonly HttpStep[]
  readonly #responded: (status: number) => void

  constructor(clients: Clients, steps: readonly HttpStep[], responded: (status: number) => void) {
    this.#clients = clients
    this.#steps = steps
    this.#responded = responded
  }

  answer(error: ParserError, socket: Socket): void {
    const meter = this.#clients.meterAt(socket)
    meter.charge(REQUEST_MILLISECONDS)
    meter.run(() => {
      const request = unknownMethodRequest(error)
      const exchange: Exchange | undefined = request && { request, meter, headers: [], target: NO_TARGET, route: undefined }
      const answer = exchange ? (runSteps(this.#steps, exchange) ?? pageOf(exchange)) : malformedRequestAnswer(error)
      const write = (made: HttpResponse) => {
        meter.charge(made.milliseconds ?? 0)
        this.#responded(made.status)
        if (this.#clients.isFree(socket)) writeRawResponse(socket, error, made, exchange?.headers ?? [])
        else socket.destroy()
      }
      if (answer instanceof Promise) answer.then(write, () => socket.destroy())
      else write(answer)
    })
  }
}

/** A request with a method that Node does not know passes the steps only if its route is a page, which answers any method. */
function pageOf(exchange: Exchange): PageAnswer {
  const { route, request, target } = exchange
  if (route?.kind !== "page") throw new Error(`${request.method} passed the steps`)
  return route.answer(request.method ?? "", target.query, serverUrlOf(serverAddressOf(exchange)))
}
