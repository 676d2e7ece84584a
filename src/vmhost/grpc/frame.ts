import { GrpcError, grpcStatus } from "./grpcError.js"

/** The bytes before a message: a flag for compression, which the protocol does not use, and the length. */
const PREFIX = 5

/** The maximum size of one message, bytes. */
export const MAX_MESSAGE = 128 << 20

/** Returns a message with its prefix. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX + message.length)
  frame[0] = 0
  frame.writeUInt32BE(message.length, 1)
  frame.set(message, PREFIX)
  return frame
}

/** Collects the pieces of one message. */
export class FrameReader {
  readonly #limit: number
  #pieces: Buffer[] = []
  #size = 0

  constructor(limit = MAX_MESSAGE) {
    this.#limit = limit
  }

  /** Adds a piece. Throws `GrpcError` if the message is too long. */
  add(piece: Buffer): void {
    this.#size += piece.length
    if (this.#size > this.#limit + PREFIX) {
      this.#pieces = []
      throw new GrpcError(grpcStatus.resourceExhausted, `the message is longer than ${this.#limit} bytes`)
    }
    this.#pieces.push(piece)
  }

  /** Returns the whole message. Throws `GrpcError` if the bytes are not one uncompressed message. */
  end(): Uint8Array {
    const [first] = this.#pieces
    const bytes = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces)
    if (bytes.length < PREFIX || bytes.readUInt32BE(1) !== bytes.length - PREFIX) {
      throw new GrpcError(grpcStatus.unknown, "the bytes are not one message")
    }
    if (bytes[0] !== 0) throw new GrpcError(grpcStatus.unimplemented, "the message is compressed")
    return bytes.subarray(PREFIX)
  }
}
