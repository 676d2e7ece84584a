import { p2pError } from "./errors.js"

/** The most bytes that a message may have, compressed or not. */
export const MAX_MESSAGE_SIZE = 2 * 1024 * 1024

const HEADER_SIZE = 4

/** Prepends the length of a message. */
export function encodeFrame(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEADER_SIZE + message.length)
  new DataView(frame.buffer).setUint32(0, message.length)
  frame.set(message, HEADER_SIZE)
  return frame
}

/**
 * Splits a stream of bytes into messages, however the stream was chunked. The beginning of an incomplete message is copied into one buffer,
 * which has at most twice the size of the bytes that have arrived, also if every byte arrives alone.
 */
export class FrameReader {
  #buffer = new Uint8Array(0)
  #size = 0

  /** The number of bytes that wait for the rest of their message. */
  get pending(): number {
    return this.#size
  }

  /** The number of bytes that are allocated for the incomplete message. */
  get allocated(): number {
    return this.#buffer.length
  }

  /** Takes the next bytes of the stream; returns the messages that are now complete. Throws `p2p.frame_too_large`. */
  push(chunk: Uint8Array): Uint8Array[] {
    const messages: Uint8Array[] = []
    let rest = this.#complete(chunk, messages)
    for (let end = endOf(rest); end <= rest.length; end = endOf(rest)) {
      messages.push(rest.subarray(HEADER_SIZE, end))
      rest = rest.subarray(end)
    }
    if (rest.length > 0) this.#append(rest)
    return messages
  }

  /** Completes the message that has begun, and returns the bytes that do not belong to it. */
  #complete(chunk: Uint8Array, messages: Uint8Array[]): Uint8Array {
    let rest = chunk
    while (this.#size > 0 && rest.length > 0) {
      const begun = this.#buffer.subarray(0, this.#size)
      const missing = Math.min(rest.length, (this.#size < HEADER_SIZE ? HEADER_SIZE : endOf(begun)) - this.#size)
      this.#append(rest.subarray(0, missing))
      rest = rest.subarray(missing)
      const bytes = this.#buffer.subarray(0, this.#size)
      if (endOf(bytes) > bytes.length) continue
      messages.push(bytes.subarray(HEADER_SIZE))
      this.#buffer = new Uint8Array(0)
      this.#size = 0
    }
    return rest
  }

  #append(bytes: Uint8Array): void {
    const size = this.#size + bytes.length
    if (size > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(size, Math.min(2 * size, HEADER_SIZE + MAX_MESSAGE_SIZE)))
      grown.set(this.#buffer.subarray(0, this.#size))
      this.#buffer = grown
    }
    this.#buffer.set(bytes, this.#size)
    this.#size = size
  }
}

/** Returns the size of the first message of a stream with its header, or of the header if that is incomplete. Throws `p2p.frame_too_large`. */
function endOf(bytes: Uint8Array): number {
  if (bytes.length < HEADER_SIZE) return HEADER_SIZE
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  if (length > MAX_MESSAGE_SIZE) throw p2pError("p2p.frame_too_large", { length })
  return HEADER_SIZE + length
}
