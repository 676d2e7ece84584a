import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { ParserError } from "./malformedRequests.js"
import type { HttpOptions } from "./options.js"

/** Address at which a server listens. */
export interface Listening {
  readonly url: string
  readonly host: string
  readonly port: number
}

/** Callbacks for the requests at a port. */
export interface Callbacks {
  onConnection(socket: Socket): void
  /** `isWaiting`: the client sends its body only when it is told to (`Expect: 100-continue`). */
  onRequest(request: IncomingMessage, response: ServerResponse, isWaiting: boolean): void
  /** Bytes that are no request. */
  onStray(error: ParserError, socket: Socket): void
}

/** A port that is listened at, with the time that clients are given. */
export class Listener {
  readonly #options: HttpOptions
  readonly #server: Server

  constructor(options: HttpOptions, { onConnection, onRequest, onStray }: Callbacks) {
    this.#options = options
    const { readTimeout, headersTimeout, idleTimeout, limits } = options
    const times = {
      requestTimeout: readTimeout,
      headersTimeout: Math.min(headersTimeout, limits?.headersTimeout ?? headersTimeout, readTimeout),
      keepAliveTimeout: idleTimeout,
      connectionsCheckingInterval: Math.max(20, Math.min(5000, readTimeout / 4)),
    }
    this.#server = createServer(times, (request, response) => onRequest(request, response, false))
    this.#server.on("checkContinue", (request, response) => onRequest(request, response, true))
    // Servers without TLS hand over sockets.
    this.#server.on("clientError", (error, socket) => onStray(error, socket as Socket))
    this.#server.on("connection", onConnection)
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
    this.#server.closeIdleConnections()
    const idle = setInterval(() => this.#server.closeIdleConnections(), 20)
    const end = setTimeout(() => this.#server.closeAllConnections(), this.#options.stopTimeout)
    await closed
    clearInterval(idle)
    clearTimeout(end)
  }
}
