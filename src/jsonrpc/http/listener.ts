import { createServer, type Server, ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { afterAnswers } from "./afterAnswers.js"
import { HttpRequest } from "./httpRequest.js"
import type { ParserError } from "./malformedRequests.js"
import { objectLikeTick } from "./objectLikeTick.js"
import type { HttpOptions } from "./options.js"
import { type ParsingPace, RequestParsing } from "./requestParsing.js"

/** Address at which a server listens. */
export interface ListenAddress {
  readonly url: string
  readonly host: string
  readonly port: number
}

/** Returns the address of a server with its URL. */
function listeningAt(host: string, port: number): ListenAddress {
  return { url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, host, port }
}

/** Callbacks for the requests at a port. */
export interface Callbacks {
  onConnection(socket: Socket, parsing: RequestParsing): void
  /** Returns the pace at which the requests of a connection are parsed; `undefined` if clients are not limited. */
  paceOf(socket: Socket): ParsingPace | undefined
  /** `isWaiting` is true if the client sends its body only after `100 Continue` (`Expect: 100-continue`). */
  onRequest(request: HttpRequest, response: ServerResponse, isWaiting: boolean): void
  /** Handles a request for a WebSocket. `head` has the bytes that arrived after it. */
  onUpgrade(request: HttpRequest, socket: Socket, head: Buffer): void
  /** Handles bytes that are not a request. */
  onStray(error: ParserError, socket: Socket): void
}

/** A listening port with the timeouts of its clients. */
export class Listener {
  readonly #options: HttpOptions
  readonly #server: Server<typeof HttpRequest>
  readonly #parsings = new WeakMap<Socket, RequestParsing>()
  /** Kept in memory, because it makes answers faster: see `objectLikeTick`. */
  readonly tick = objectLikeTick()

  constructor(options: HttpOptions, callbacks: Callbacks) {
    this.#options = options
    const { onRequest, onUpgrade, onStray } = callbacks
    const { readTimeout, headersTimeout, idleTimeout, limits } = options
    const serverOptions = {
      IncomingMessage: HttpRequest,
      ServerResponse,
      requestTimeout: readTimeout,
      headersTimeout: Math.min(headersTimeout, limits?.headersTimeout ?? headersTimeout, readTimeout),
      keepAliveTimeout: idleTimeout,
      connectionsCheckingInterval: Math.max(20, Math.min(5000, readTimeout / 4)),
    }
    this.#server = createServer(serverOptions, (request, response) => onRequest(request, response, false))
    this.#server.on("checkContinue", (request, response) => onRequest(request, response, true))
    // Servers without TLS pass sockets.
    this.#server.on("clientError", (error: ParserError, stream) => {
      const socket = stream as Socket
      if (error.code === "HPE_PAUSED" && error.rawPacket) {
        this.#parsings.get(socket)?.continueWith(error.rawPacket.subarray(error.bytesParsed))
      } else onStray(error, socket)
    })
    this.#server.on("upgrade", (request, stream, head) => {
      const socket = stream as Socket
      const parsing = this.#parsings.get(socket)
      parsing?.end()
      afterAnswers(socket, () => {
        if (request.headers.upgrade?.toLowerCase() === "websocket") {
          socket.on("error", () => socket.destroy())
          onUpgrade(request, socket, Buffer.concat([head, ...(parsing?.takeUnparsed() ?? [])]))
        } else this.#serveWithoutUpgrade(request, socket, head)
      })
    })
    this.#server.on("connection", (socket) => this.#connected(socket, callbacks))
  }

  /** Node also connects a socket that returns from an upgrade. */
  #connected(socket: Socket, { onConnection, paceOf }: Callbacks): void {
    const returned = this.#parsings.get(socket)
    const parsing = returned ?? new RequestParsing(socket, paceOf(socket))
    parsing.follow()
    if (returned) return
    this.#parsings.set(socket, parsing)
    onConnection(socket, parsing)
  }

  /**
   * Serves a request that asks for another upgrade than WebSocket as if it had not asked, which HTTP allows. Clients that prefer HTTP/2,
   * such as Java's, ask for it with each first request. Node has no other way to decline.
   */
  #serveWithoutUpgrade(request: HttpRequest, socket: Socket, head: Buffer): void {
    const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      const name = request.rawHeaders[i] as string
      if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${request.rawHeaders[i + 1]}`)
    }
    this.#server.emit("connection", socket)
    this.#parsings.get(socket)?.continueWith(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]))
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
    return listeningAt(host, taken)
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
