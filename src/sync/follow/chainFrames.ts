import { decode, encode } from "../../core/codec/decode.js"
import { oneOf, variant } from "../../core/codec/oneOf.js"
import { optional } from "../../core/codec/optional.js"
import { bytes, u64 } from "../../core/codec/primitives.js"
import type { TypeOf } from "../../core/codec/schema.js"
import { concatBytes } from "../../core/lib/bytes.js"
import { Invalid, valueOrInvalid } from "../../core/lib/invalid.js"

/** The size of the length before each frame, bytes. */
const HEAD = 4
/** The maximum size of a frame, bytes. The genesis of a private chain is the largest. */
const MAX_FRAME = 64 << 20

/** The path of the stream of blocks, below that of the P-Chain. */
export const BLOCK_STREAM = "/blocks"
export const BLOCK_STREAM_TYPE = "application/vnd.serac.chain"

/** A frame without content, which shows that the stream is alive. */
export const ALIVE_FRAME: Uint8Array = new Uint8Array(HEAD)

/**
 * The frames of a stream. It begins with the header of the chain, its genesis if all blocks were asked for and no program has it, and
 * the overrides of a private chain so far. An override comes before the block that follows it.
 */
const frame = oneOf(
  { interface: "frame", registered: {} },
  /** The header of the chain (`CopyHeader`), as JSON in UTF-8, and the number of its overrides. */
  variant("chain", 1, { header: bytes, overrides: u64 }),
  variant("genesis", 2, { bytes }),
  /** The number of an override, and its row. */
  variant("override", 3, { position: u64, bytes }),
  /** A block in its wrapper if the chain has it, and the P-Chain height of its Warp messages if the wrapper does not name it. */
  variant("block", 4, { warpHeight: optional(u64), bytes }),
  variant("revert", 5, { height: u64 }),
)

export type ChainFrame = TypeOf<typeof frame>

/** Makes a frame: its length in four bytes, then its content. */
export function chainFrame(content: ChainFrame): Uint8Array {
  const body = encode(frame, content)
  const head = new Uint8Array(HEAD)
  new DataView(head.buffer).setUint32(0, body.length)
  return concatBytes(head, body)
}

/** Splits a stream into frames. It returns `undefined` if the bytes are not such a stream. */
export class ChainFrameReader {
  /** The bytes that are not in a frame yet, their number, and the number with which the next frame is complete. */
  #rest: Uint8Array[] = []
  #size = 0
  #needed = HEAD

  /** Takes the next bytes and returns the complete frames. The pieces of a frame are put together once. */
  push(chunk: Uint8Array): ChainFrame[] | undefined {
    this.#rest.push(chunk)
    this.#size += chunk.length
    if (this.#size < this.#needed) return []
    const all = this.#rest.length === 1 ? chunk : concatBytes(...this.#rest)
    const view = new DataView(all.buffer, all.byteOffset, all.byteLength)
    const frames: ChainFrame[] = []
    let at = 0
    this.#needed = HEAD
    while (all.length - at >= HEAD) {
      const length = view.getUint32(at)
      if (length > MAX_FRAME) return undefined
      const end = at + HEAD + length
      this.#needed = HEAD + length
      if (end > all.length) break
      this.#needed = HEAD
      const content = length === 0 ? undefined : valueOrInvalid(() => decode(frame, all.slice(at + HEAD, end)))
      if (content instanceof Invalid) return undefined
      if (content) frames.push(content)
      at = end
    }
    this.#rest = [all.slice(at)]
    this.#size = all.length - at
    return frames
  }
}
