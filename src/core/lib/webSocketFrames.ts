import { concatBytes } from "./bytes.js"

/** The header of a frame of a WebSocket (RFC 6455). */
export interface FrameHeader {
  /** True if the frame is the last of its message. */
  readonly isFinal: boolean
  /** True if only an extension such as compression explains the payload. */
  readonly isExtended: boolean
  readonly opcode: number
  /** The bytes of the payload. */
  readonly length: number
  /** The 4 bytes with which the payload is masked; `undefined` if it is not. */
  readonly mask: Uint8Array | undefined
}

/** A part of a frame, as it lies in one piece of a stream. */
export interface FramePart {
  readonly header: FrameHeader
  /** The bytes of the stream, with those of the header if the frame begins here. */
  readonly bytes: Uint8Array
  /** The bytes of the payload among them, as they are in the stream, and the number of those before them. */
  readonly payload: Uint8Array
  readonly offset: number
  /** True if the frame ends here. */
  readonly isEnd: boolean
}

/** The first opcode of control frames: close, ping and pong. They may come between the frames of a message. */
export const CONTROL = 8
export const [TEXT, CLOSE] = [1, 8]

const NONE = new Uint8Array(0)

/** Finds the frames in one direction of a WebSocket. */
export class FrameFinder {
  /** The beginning of a header that is not whole. */
  #begun: Uint8Array = NONE
  #header: FrameHeader | undefined
  #offset = 0

  /** Returns the parts of frames in the next piece of the stream, in order. */
  parts(piece: Uint8Array): readonly FramePart[] {
    const parts: FramePart[] = []
    let rest = this.#begun.length === 0 ? piece : concatBytes(this.#begun, piece)
    this.#begun = NONE
    while (rest.length > 0) {
      const size = this.#header ? 0 : headerSize(rest)
      if (rest.length < size) {
        this.#begun = Uint8Array.from(rest)
        break
      }
      const header = this.#header ?? readHeader(rest, size)
      const offset = this.#header ? this.#offset : 0
      const payload = rest.subarray(size, size + header.length - offset)
      const isEnd = offset + payload.length === header.length
      parts.push({ header, bytes: rest.subarray(0, size + payload.length), payload, offset, isEnd })
      this.#header = isEnd ? undefined : header
      this.#offset = offset + payload.length
      rest = rest.subarray(size + payload.length)
    }
    return parts
  }
}

/** Returns the size of the header that begins here, or the smallest size that it may have. */
function headerSize(bytes: Uint8Array): number {
  const second = bytes[1]
  if (second === undefined) return 2
  const [length, mask] = [second & 0x7f, second & 0x80 ? 4 : 0]
  return 2 + (length === 127 ? 8 : length === 126 ? 2 : 0) + mask
}

function readHeader(bytes: Uint8Array, size: number): FrameHeader {
  const [first, second] = [bytes[0] as number, bytes[1] as number]
  const view = new DataView(bytes.buffer, bytes.byteOffset, size)
  const short = second & 0x7f
  const length = short === 127 ? Number(view.getBigUint64(2)) : short === 126 ? view.getUint16(2) : short
  const mask = second & 0x80 ? Uint8Array.from(bytes.subarray(size - 4, size)) : undefined
  return { isFinal: (first & 0x80) !== 0, isExtended: (first & 0x70) !== 0, opcode: first & 0x0f, length, mask }
}

/** Returns the payload of a part of a frame without its mask. */
export function unmasked({ header: { mask }, payload, offset }: FramePart): Uint8Array {
  return mask ? payload.map((byte, i) => byte ^ (mask[(offset + i) % 4] as number)) : payload
}

/** Makes a message of text as a server sends it, in one frame. */
export function textFrame(text: Uint8Array): Uint8Array {
  const { length } = text
  const extra = length < 126 ? 0 : length < 0x1_0000 ? 2 : 8
  const header = new DataView(new ArrayBuffer(2 + extra))
  header.setUint8(0, 0x80 | TEXT)
  header.setUint8(1, extra === 0 ? length : extra === 2 ? 126 : 127)
  if (extra === 2) header.setUint16(2, length)
  if (extra === 8) header.setBigUint64(2, BigInt(length))
  return concatBytes(new Uint8Array(header.buffer), text)
}
