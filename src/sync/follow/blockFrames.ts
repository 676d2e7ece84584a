import { concatBytes } from "../../core/lib/bytes.js"

/** The size of the length before each block, bytes. */
const HEAD = 4
/** The length that marks a revert of the chain. The height of the revert follows. */
const REVERT = 0xffff_ffff
const REVERT_SIZE = HEAD + 8
/** The maximum size of a block, bytes. */
const MAX_BLOCK = 16 << 20

/** The path of the stream of blocks, below that of the P-Chain. */
export const BLOCK_STREAM = "/blocks"
/** The content type of the stream. */
export const BLOCK_STREAM_TYPE = "application/vnd.serac.blocks"

/** A frame without a block, which shows that the stream is alive. */
export const ALIVE_FRAME: Uint8Array = new Uint8Array(HEAD)

/** One frame of the stream. */
export type BlockFrame =
  | { readonly kind: "block"; readonly bytes: Uint8Array }
  | { readonly kind: "revert"; readonly height: bigint }

/** Makes the frame of a block: its length in four bytes, then its bytes. */
export function blockFrame(bytes: Uint8Array): Uint8Array {
  const head = new Uint8Array(HEAD)
  new DataView(head.buffer).setUint32(0, bytes.length)
  return concatBytes(head, bytes)
}

/** Makes the frame of a revert to a height. */
export function revertFrame(height: bigint): Uint8Array {
  const frame = new Uint8Array(REVERT_SIZE)
  const view = new DataView(frame.buffer)
  view.setUint32(0, REVERT)
  view.setBigUint64(HEAD, height)
  return frame
}

/** Splits a stream into frames. It returns `undefined` if the bytes are not such a stream. */
export class BlockFrameReader {
  #rest: Uint8Array = new Uint8Array(0)

  /** Takes the next bytes and returns the complete frames. */
  push(chunk: Uint8Array): BlockFrame[] | undefined {
    const bytes = this.#rest.length === 0 ? chunk : concatBytes(this.#rest, chunk)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const frames: BlockFrame[] = []
    let at = 0
    while (bytes.length - at >= HEAD) {
      const length = view.getUint32(at)
      if (length !== REVERT && length > MAX_BLOCK) return undefined
      const size = length === REVERT ? REVERT_SIZE : HEAD + length
      if (bytes.length - at < size) break
      if (length === REVERT) frames.push({ kind: "revert", height: view.getBigUint64(at + HEAD) })
      else if (length > 0) frames.push({ kind: "block", bytes: bytes.slice(at + HEAD, at + size) })
      at += size
    }
    this.#rest = bytes.slice(at)
    return frames
  }
}
