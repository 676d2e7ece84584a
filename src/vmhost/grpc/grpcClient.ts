import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders } from "node:http2"
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf"
import { FrameReader, frameOf } from "./frame.js"
import { errorIn, GrpcError, grpcStatus } from "./grpcError.js"
import { sessionOptions, WINDOW } from "./sessionOptions.js"

/** Options of one call. */
export interface CallOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined
}

/** Calls the methods of a VM. */
export type VMPort = Pick<GrpcClient, "call">

/** Calls the methods of a gRPC server. A connection that was lost is made again by the next call. */
export class GrpcClient {
  readonly #address: string
  #session: ClientHttp2Session | undefined
  #isClosed = false

  /** `address` is `host:port`. */
  constructor(address: string) {
    this.#address = address
  }

  /** Calls a method. Throws `GrpcError`. */
  async call<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    input: MessageInitShape<I>,
    { signal }: CallOptions = {},
  ): Promise<MessageShape<O>> {
    if (signal?.aborted) throw new GrpcError(grpcStatus.cancelled, "the call was cancelled")
    const request = frameOf(toBinary(method.input, create(method.input, input)))
    const stream = this.#open().request({
      [constants.HTTP2_HEADER_METHOD]: "POST",
      [constants.HTTP2_HEADER_PATH]: `/${method.parent.typeName}/${method.name}`,
      [constants.HTTP2_HEADER_CONTENT_TYPE]: "application/grpc",
      te: "trailers",
    })
    const answer = await answerOf(stream, request, signal)
    return fromBinary(method.output, answer, { readUnknownFields: false })
  }

  /** Ends the connection. Calls in progress fail. */
  close(): void {
    this.#isClosed = true
    this.#session?.destroy()
  }

  #open(): ClientHttp2Session {
    if (this.#isClosed) throw new GrpcError(grpcStatus.unavailable, "the connection is closed")
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session
    const session = connect(`http://${this.#address}`, sessionOptions)
    session.on("connect", () => {
      // It may have been closed while it opened.
      if (!session.destroyed) session.setLocalWindowSize(WINDOW)
    })
    // Each call reports the loss of its connection.
    session.on("error", () => {})
    session.on("goaway", () => session.close())
    this.#session = session
    return session
  }
}

function answerOf(stream: ClientHttp2Stream, request: Buffer, signal: AbortSignal | undefined): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const reader = new FrameReader()
    let ending: IncomingHttpHeaders | undefined
    let failure: GrpcError | undefined
    const cancel = () => {
      failure = new GrpcError(grpcStatus.cancelled, "the call was cancelled")
      stream.close(constants.NGHTTP2_CANCEL)
    }
    signal?.addEventListener("abort", cancel, { once: true })
    stream.on("response", (headers) => {
      if (headers["grpc-status"] !== undefined) ending = headers
    })
    stream.on("trailers", (trailers) => {
      ending = trailers
    })
    stream.on("data", (piece: Buffer) => {
      try {
        reader.add(piece)
      } catch (error) {
        failure = error as GrpcError
        stream.close(constants.NGHTTP2_CANCEL)
      }
    })
    stream.on("error", (error) => {
      failure ??= new GrpcError(grpcStatus.unavailable, error.message)
    })
    stream.on("close", () => {
      signal?.removeEventListener("abort", cancel)
      const error = failure ?? errorIn(ending ?? {})
      if (error) reject(error)
      else resolveWith(reader, resolve, reject)
    })
    stream.end(request)
  })
}

function resolveWith(reader: FrameReader, resolve: (message: Uint8Array) => void, reject: (error: unknown) => void): void {
  try {
    resolve(reader.end())
  } catch (error) {
    reject(error)
  }
}
