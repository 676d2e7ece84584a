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
 * Splits a stream of bytes into messages, however the stream was chunked. It holds at most the header and body of one message and the last
 * chunk.
 */
export class FrameReader {
  readonly #chunks: Uint8Array[] = []
  #size = 0

  /** The number of bytes that wait for the rest of their message. */
  get pending(): number {
    return this.#size
  }

  /** Takes the next bytes of the stream; returns the messages that are now complete. Throws `p2p.frame_too_large`. */
  push(chunk: Uint8Array): Uint8Array[] {
    if (chunk.length > 0) this.#chunks.push(chunk)
    this.#size += chunk.length
    const messages: Uint8Array[] = []
    for (;;) {
      if (this.#size < HEADER_SIZE) return messages
      const length = this.#length()
      if (length > MAX_MESSAGE_SIZE) throw p2pError("p2p.frame_too_large", { length })
      if (this.#size < HEADER_SIZE + length) return messages
      messages.push(this.#take(HEADER_SIZE + length).subarray(HEADER_SIZE))
    }
  }

  #length(): number {
    const header = (this.#chunks[0] as Uint8Array).length >= HEADER_SIZE ? (this.#chunks[0] as Uint8Array) : this.#join()
    return new DataView(header.buffer, header.byteOffset).getUint32(0)
  }

  #take(size: number): Uint8Array {
    const bytes = (this.#chunks[0] as Uint8Array).length >= size ? (this.#chunks[0] as Uint8Array) : this.#join()
    this.#size -= size
    if (bytes.length > size) this.#chunks[0] = bytes.subarray(size)
    else this.#chunks.shift()
    return bytes.subarray(0, size)
  }

  /** Joins all chunks. It is called when a header or a whole message is complete, so every byte is copied at most twice. */
  #join(): Uint8Array {
    const joined = new Uint8Array(this.#size)
    let offset = 0
    for (const chunk of this.#chunks) {
      joined.set(chunk, offset)
      offset += chunk.length
    }
    this.#chunks.splice(0, this.#chunks.length, joined)
    return joined
  }
}
