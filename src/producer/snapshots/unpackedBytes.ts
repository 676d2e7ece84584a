import { Buffer } from "node:buffer"
import { createGunzip, type Gunzip } from "node:zlib"
import { Reader } from "../../core/codec/reader.js"
import type { Codec } from "../../core/codec/schema.js"
import { Invalid } from "../../core/lib/invalid.js"

/** Bytes that are unpacked at a time. */
const CHUNK_BYTES = 1 << 17

/** The values in packed bytes, unpacked as they are read: there is never more than a value and a chunk of them in memory. */
export class UnpackedBytes {
  readonly #gunzip: Gunzip
  readonly #chunks: AsyncIterator<Buffer>
  readonly #most: number
  #here: Buffer = Buffer.alloc(0)
  #unpacked = 0

  /** `most`: the bytes that may be unpacked. */
  constructor(packed: Uint8Array, most: number) {
    this.#gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
    this.#chunks = this.#gunzip[Symbol.asyncIterator]()
    this.#most = most
    this.#gunzip.end(packed)
  }

  /** Reads a value, where all of it has been unpacked; `undefined` if more is needed. */
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

  /** Reads a value. Throws `codec.*` where the bytes are none, and what zlib says of bytes that are not packed. */
  async read<T>(codec: Codec<T>): Promise<T> {
    for (;;) {
      const value = this.tryRead(codec)
      if (value !== undefined) return value
      if (await this.#more()) continue
      const reader = new Reader(this.#here)
      return codec.read(reader)
    }
  }

  /** Makes sure that nothing follows. */
  async end(): Promise<void> {
    if (this.#here.length > 0 || (await this.#more())) throw new Error("bytes follow the end")
  }

  /** Unpacks no more. */
  close(): void {
    this.#gunzip.destroy()
  }

  /** Doubles what is here, or adds a chunk; false where there is no more. */
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
