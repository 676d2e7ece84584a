import type { GrpcClient } from "../grpc/grpcClient.js"
import { GrpcServer, serve } from "../grpc/grpcServer.js"
import { HTTP } from "../proto/http_pb.js"
import { ErrorCode, Reader } from "../proto/reader_pb.js"
import { type Header, Writer } from "../proto/responsewriter_pb.js"
import { headerElements, headerList, statusOf } from "./headers.js"
import { connectionServices, PluginSocket } from "./pluginSocket.js"
import type { SimpleResponse } from "./simpleRequest.js"

/** A request with the header `Upgrade`. */
export interface UpgradeRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly string[]
  readonly host: string
  /** The address of the client, `a.b.c.d:port`. */
  readonly remoteAddress: string
  readonly responseHeaders: readonly string[]
  /** Says why the plugin has ended, for a client whose WebSocket ends with it. */
  endReason(): string
  /** Returns the milliseconds by which the clock of the plugin is ahead of the machine's. */
  clockAhead(): number
}

/** The largest answer to a refused upgrade, bytes. */
const MAX_ANSWER = 1 << 20

/** One request that may become a connection of the plugin: the servers for it, and its outcome. */
class Upgrade {
  readonly socket = new PluginSocket()
  readonly #onFault: (error: unknown, where: string) => void
  readonly #servers: GrpcServer[] = []
  readonly #hijacked: () => void
  readonly #clockAhead: () => number
  #status = 200
  #headers: string[] = []
  readonly #body: Uint8Array[] = []
  #size = 0

  constructor(hijacked: () => void, clockAhead: () => number, onFault: (error: unknown, where: string) => void) {
    this.#hijacked = hijacked
    this.#clockAhead = clockAhead
    this.#onFault = onFault
  }

  listen(): Promise<string> {
    return this.#serve([
      serve(Writer, {
        write: ({ headers, payload }) => this.#write(headers, payload),
        writeHeader: ({ headers, statusCode }) => {
          this.#headers = headerList(headers)
          this.#status = statusOf(statusCode)
          return {}
        },
        flush: () => ({}),
        hijack: () => this.#hijack(),
      }),
      serve(Reader, { read: () => ({ error: { errorCode: ErrorCode.EOF, message: "EOF" } }) }),
    ])
  }

  /** The answer that the plugin wrote without taking the connection over. */
  answer(): SimpleResponse {
    return { status: this.#status, headers: this.#headers, body: Buffer.concat(this.#body) }
  }

  /** Ends after the plugin has. The client may still read what it wrote. */
  close(): void {
    for (const server of this.#servers) server.close()
    this.socket.finish()
  }

  /** Ends after the plugin has failed. The client of a WebSocket is told why. */
  end(reason: string): void {
    for (const server of this.#servers) server.close()
    this.socket.endWebSocket(reason)
  }

  #write(headers: readonly Header[], payload: Uint8Array) {
    this.#headers = headerList(headers)
    this.#size += payload.length
    if (this.#size <= MAX_ANSWER) this.#body.push(Uint8Array.from(payload))
    return { written: payload.length }
  }

  async #hijack() {
    const serverAddr = await this.#serve(connectionServices(this.socket, this.#clockAhead))
    this.#hijacked()
    const name = { localNetwork: "tcp", localString: "127.0.0.1:0", remoteNetwork: "tcp", remoteString: "127.0.0.1:0" }
    return { ...name, serverAddr }
  }

  #serve(services: ConstructorParameters<typeof GrpcServer>[0]): Promise<string> {
    const server = new GrpcServer(services, this.#onFault)
    this.#servers.push(server)
    return server.listen()
  }
}

/**
 * Passes a request with the header `Upgrade` to a handler of a VM. Returns the connection if the plugin takes it over; the plugin then writes
 * the answer itself. Otherwise returns the plugin's answer. Throws `GrpcError`.
 */
export function upgradeAtHandler(
  handler: Pick<GrpcClient, "call">,
  request: UpgradeRequest,
  onFault: (error: unknown, where: string) => void,
): Promise<PluginSocket | SimpleResponse> {
  return new Promise((resolve, reject) => {
    const upgrade = new Upgrade(
      () => resolve(upgrade.socket),
      () => request.clockAhead(),
      onFault,
    )
    const run = async () => {
      const serverAddr = await upgrade.listen()
      // It returns when the connection ends.
      const ended = new AbortController()
      upgrade.socket.once("close", () => setTimeout(() => ended.abort(), CLOSE_MILLISECONDS).unref())
      const { header } = await handler.call(HTTP.method.handle, inputOf(request, serverAddr), { signal: ended.signal })
      const { status, headers, body } = upgrade.answer()
      return { status, headers: headers.length > 0 ? headers : headerList(header), body }
    }
    run().then(
      (answer) => {
        upgrade.close()
        resolve(answer)
      },
      (error) => {
        upgrade.end(request.endReason())
        reject(error)
      },
    )
  })
}

/** Returns a path without its escapes. One with an escape that is none stays as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The time that a plugin has to notice that a client has gone, milliseconds. */
const CLOSE_MILLISECONDS = 5000

function inputOf({ method, url, headers, host, remoteAddress, responseHeaders }: UpgradeRequest, serverAddr: string) {
  const [path = "", query] = url.split("?", 2)
  return {
    responseWriter: { serverAddr, header: headerElements(responseHeaders) },
    request: {
      method,
      url: { path: decoded(path), rawQuery: query ?? "" },
      proto: "HTTP/1.1",
      protoMajor: 1,
      protoMinor: 1,
      header: headerElements(headers),
      host,
      remoteAddr: remoteAddress,
      requestUri: url,
    },
  }
}
