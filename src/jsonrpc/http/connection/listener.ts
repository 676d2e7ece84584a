import type { IncomingMessage, Server, ServerOptions, ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { HttpOptions } from "../options.js"

/** Address at which a server listens. */
export interface ListenAddress {
  readonly url: string
  readonly host: string
  readonly port: number
}

/** Error of Node's HTTP parser about bytes that are not a request, or about a request that takes too long. */
export interface ParserError extends Error {
  readonly code?: string
  /** The bytes that could not be parsed, with what was read before them at once. */
  readonly rawPacket?: Buffer
}

/** Callbacks for the requests at a port. */
export interface Callbacks {
  onConnection(socket: Socket): void
  /** `isWaiting` is true if the client sends its body only after `100 Continue` (`Expect: 100-continue`). */
  onRequest(request: IncomingMessage, response: ServerResponse, isWaiting: boolean): void
  /** Handles a request for another protocol. `head` has the bytes that arrived after it. */
  onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void
  onMalformed(error: ParserError, socket: Socket): void
}

/** Returns whether a request asks for a WebSocket. */
export const asksForWebSocket = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers.upgrade?.toLowerCase() === "websocket"

/**
 * Options of Node's server. From Node 22.21 and 24.9 on, `shouldUpgradeCallback` declines other protocols, such as the HTTP/2 that Java's
 * client asks for with each first request; the request is then served as any other. Older versions ignore it.
 */
type NodeOptions = ServerOptions & { shouldUpgradeCallback(request: IncomingMessage): boolean }

/** A listening port with the timeouts of its clients. */
export class Listener {
  readonly #options: HttpOptions
  readonly #server: Server

  constructor(options: HttpOptions, { onConnection, onRequest, onUpgrade, onMalformed }: Callbacks) {
    this.#options = options
    const { readTimeout, headersTimeout, idleTimeout, limits } = options
    const nodeOptions: NodeOptions = {
      requestTimeout: readTimeout,
      headersTimeout: Math.min(headersTimeout, limits?.headersTimeout ?? headersTimeout, readTimeout),
      keepAliveTimeout: idleTimeout,
      connectionsCheckingInterval: Math.max(20, Math.min(5000, readTimeout / 4)),
      shouldUpgradeCallback: asksForWebSocket,
    }
    // An import would read all exports of the module when the program starts, and so load Node's client of WebSockets, which takes 10 ms.
    const { createServer } = process.getBuiltinModule("node:http")
    this.#server = createServer(nodeOptions, (request, response) => onRequest(request, response, false))
    this.#server.on("checkContinue", (request, response) => onRequest(request, response, true))
    // Servers without TLS pass sockets.
    this.#server.on("clientError", (error: ParserError, stream) => onMalformed(error, stream as Socket))
    this.#server.on("upgrade", (request, stream, head) => onUpgrade(request, stream as Socket, head))
    this.#server.on("connection", onConnection)
  }

  /** Listens at the address. Throws the system's error if the address is not available. */
  async listen(): Promise<ListenAddress> {
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

  /** Stops accepting requests, and waits for those in progress for at most `stopTimeout`. */
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
