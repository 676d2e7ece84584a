import { constants, createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2"
import type { AddressInfo } from "node:net"
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf"
import type { GenService, GenServiceMethods } from "@bufbuild/protobuf/codegenv2"
import { FrameReader, frameOf, MAX_MESSAGE } from "./frame.js"
import { GrpcError, grpcStatus, statusHeaders } from "./grpcError.js"
import { sessionOptions, WINDOW } from "./sessionOptions.js"

/** Limits of a server. */
export interface ServerLimits {
  /** The maximum size of one message, bytes. */
  readonly message: number
  /** The maximum size of all messages together that are being received, bytes. */
  readonly receiving: number
  /** The maximum number of calls that are being answered, over all connections. */
  readonly calls: number
}

const LIMITS: ServerLimits = { message: MAX_MESSAGE, receiving: 256 << 20, calls: 2048 }

/** The maximum number of connections to a server. A plugin makes one. */
const MAX_CONNECTIONS = 4

/** The handlers of a service, one for each of its methods. A handler may return a promise. */
export type Handlers<M extends GenServiceMethods> = {
  readonly [N in keyof M]: (
    request: MessageShape<M[N]["input"]>,
    signal: AbortSignal,
  ) => MessageInitShape<M[N]["output"]> | Promise<MessageInitShape<M[N]["output"]>>
}

interface ServedMethod {
  readonly method: DescMethodUnary<DescMessage, DescMessage>
  handle(request: unknown, signal: AbortSignal): unknown
}

/** A service with its handlers. */
export type ServedService = ReadonlyMap<string, ServedMethod>

/** Connects a service to its handlers. */
export function serve<M extends GenServiceMethods>(service: GenService<M>, handlers: Handlers<M>): ServedService {
  const served = new Map<string, ServedMethod>()
  for (const method of service.methods) {
    const handle = handlers[method.localName as keyof M] as unknown as ServedMethod["handle"]
    served.set(`/${service.typeName}/${method.name}`, { method: method as ServedMethod["method"], handle })
  }
  return served
}

/** A gRPC server for unary calls at a port of the loopback address. */
export class GrpcServer {
  readonly #methods: ReadonlyMap<string, ServedMethod>
  readonly #server: Http2Server
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #onFault: (error: unknown, path: string) => void
  readonly #limits: ServerLimits
  #receiving = 0
  #calls = 0

  constructor(
    services: readonly ServedService[],
    onFault: (error: unknown, path: string) => void,
    limits: Partial<ServerLimits> = {},
  ) {
    this.#limits = { ...LIMITS, ...limits }
    this.#methods = new Map(services.flatMap((service) => [...service]))
    this.#onFault = onFault
    this.#server = createServer(sessionOptions)
    this.#server.on("session", (session) => {
      if (this.#sessions.size >= MAX_CONNECTIONS) {
        session.destroy()
        return
      }
      session.setLocalWindowSize(WINDOW)
      this.#sessions.add(session)
      session.on("close", () => this.#sessions.delete(session))
      session.on("error", () => session.destroy())
    })
    this.#server.on("sessionError", () => {})
    this.#server.on("stream", (stream, headers) => this.#receive(stream, String(headers[constants.HTTP2_HEADER_PATH])))
  }

  /** Listens at a free port and returns the address, `127.0.0.1:port`. */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject)
      this.#server.listen(0, "127.0.0.1", () => {
        this.#server.off("error", reject)
        this.#server.on("error", (error) => this.#onFault(error, "listener"))
        resolve(`127.0.0.1:${(this.#server.address() as AddressInfo).port}`)
      })
    })
  }

  /** Ends all connections, and stops listening. */
  close(): void {
    this.#server.close()
    for (const session of this.#sessions) session.destroy()
  }

  /** Stops listening. Calls in progress are answered first. */
  closeGently(): void {
    this.#server.close()
    for (const session of this.#sessions) session.close()
  }

  #receive(stream: ServerHttp2Stream, path: string): void {
    const reader = new FrameReader(this.#limits.message)
    const abort = new AbortController()
    let received = 0
    let isRefused = false
    this.#calls++
    stream.on("error", () => {})
    stream.on("close", () => {
      this.#calls--
      this.#receiving -= received
      abort.abort()
    })
    const refuse = (error: GrpcError) => {
      isRefused = true
      fail(stream, error)
    }
    if (this.#calls > this.#limits.calls) refuse(new GrpcError(grpcStatus.resourceExhausted, "too many calls are being answered"))
    stream.on("data", (piece: Buffer) => {
      if (isRefused) return
      received += piece.length
      this.#receiving += piece.length
      try {
        reader.add(piece)
        if (this.#receiving > this.#limits.receiving)
          throw new GrpcError(grpcStatus.resourceExhausted, "too many bytes are being received")
      } catch (error) {
        refuse(error as GrpcError)
      }
    })
    stream.on("end", () => {
      if (!isRefused) this.#answer(stream, path, reader, abort.signal).catch((error) => this.#onFault(error, path))
    })
  }

  async #answer(stream: ServerHttp2Stream, path: string, reader: FrameReader, signal: AbortSignal): Promise<void> {
    try {
      const served = this.#methods.get(path)
      if (!served) throw new GrpcError(grpcStatus.unimplemented, `the host does not serve ${path}`)
      const { method } = served
      const request = fromBinary(method.input, reader.end(), { readUnknownFields: false })
      const init = (await served.handle(request, signal)) as MessageInitShape<DescMessage>
      succeed(stream, toBinary(method.output, create(method.output, init)))
    } catch (error) {
      if (!(error instanceof GrpcError)) this.#onFault(error, path)
      fail(stream, error instanceof GrpcError ? error : new GrpcError(grpcStatus.unknown, String((error as Error).message)))
    }
  }
}

const ANSWER_HEADERS = { [constants.HTTP2_HEADER_STATUS]: 200, [constants.HTTP2_HEADER_CONTENT_TYPE]: "application/grpc" }

function succeed(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (stream.closed || stream.destroyed) return
  stream.respond(ANSWER_HEADERS, { waitForTrailers: true })
  stream.on("wantTrailers", () => stream.sendTrailers(statusHeaders(grpcStatus.ok)))
  stream.end(frameOf(message))
}

/** The answer to a failed call has headers only. */
function fail(stream: ServerHttp2Stream, { status, message }: GrpcError): void {
  if (stream.closed || stream.destroyed || stream.headersSent) return
  stream.respond({ ...ANSWER_HEADERS, ...statusHeaders(status, message) }, { endStream: true })
}
