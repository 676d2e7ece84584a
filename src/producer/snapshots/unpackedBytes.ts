import { Buffer } from "node:buffer"
import { createGunzip, type Gunzip } from "node:zlib"
import { Reader } from "../../core/codec/reader.js"
import type { Codec } from "../../core/codec/schema.js"
import { Invalid } from "../../core/lib/invalid.js"

/** The number of bytes that are unpacked at a time. */
const CHUNK_BYTES = 1 << 17

/** Reads values from packed bytes and unpacks them on demand. At most one value and one chunk are in memory. */
export class UnpackedBytes {
  readonly #gunzip: Gunzip
  readonly #chunks: AsyncIterator<Buffer>
  readonly #most: number
  #here: Buffer = Buffer.alloc(0)
  #unpacked = 0

  /** `most` is the maximum number of unpacked bytes. */
  constructor(packed: Uint8Array, most: number) {
    this.#gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
    this.#chunks = this.#gunzip[Symbol.asyncIterator]()
    this.#most = most
    this.#gunzip.end(packed)
  }

  /** Reads a value if all of it has been unpacked; `undefined` if more bytes are needed. */
  tryRead<T>(codec: Codec<T>): T | undefined {
    const reader = new Reader(this.#here)
    try {
      const value = codec.read(reader)
      this.#here = this.#here.subarray(reader.offset)
      return value
    } catch (error) {
      if (error instanceof Invalid) return undefined
      throw error
    }
  }

  /** Reads a value. Throws `codec.*` for malformed bytes, and zlib's error for bytes that are not packed. */
  async read<T>(codec: Codec<T>): Promise<T> {
    for (;;) {
      const value = this.tryRead(codec)
      if (value !== undefined) return value
      if (await this.#more()) continue
      const reader = new Reader(this.#here)
      return codec.read(reader)
    }
  }

  /** Checks that nothing follows. */
  async end(): Promise<void> {
    if (this.#here.length > 0 || (await this.#more())) throw new Error("bytes follow the end")
  }

  /** Stops unpacking. */
  close(): void {
    this.#gunzip.destroy()
  }

  /** Doubles the unpacked bytes, or adds a chunk. Returns false at the end. */
  async #more(): Promise<boolean> {
    const chunks = [this.#here]
    for (let added = 0; added === 0 || added < this.#here.length; ) {
      const { value, done } = await this.#chunks.next()
      if (done) break
      this.#unpacked += value.length
      if (this.#unpacked > this.#most) throw new Error(`it unpacks to something larger than ${this.#most} bytes`)
      chunks.push(value)
      added += value.length
    }
    if (chunks.length === 1) return false
    this.#here = Buffer.concat(chunks)
    return true
  }
}
