/** The maximum number of bytes that are allocated before they have arrived. */
const MAX_AHEAD = 1 << 16

const EMPTY = Buffer.alloc(0)

/** A buffer that grows with the bytes that have arrived, independent of the number of pieces. */
export class GrowingBuffer {
  readonly #expected: number
  #buffer: Buffer | undefined
  size = 0

  constructor(expected: number) {
    this.#expected = expected
  }

  add(piece: Buffer): void {
    const size = this.size + piece.length
    // Most bodies arrive in one piece, which is not copied.
    if (this.size === 0 && piece.length >= this.#expected) this.#buffer = piece
    else if (piece.length === 1) this.#room(size)[this.size] = piece[0] as number
    else piece.copy(this.#room(size), this.size)
    this.size = size
  }

  bytes(): Buffer {
    return this.#buffer?.subarray(0, this.size) ?? EMPTY
  }

  /** Returns the buffer with room for at least `size` bytes. */
  #room(size: number): Buffer {
    const buffer = this.#buffer
    if (buffer && size <= buffer.length) return buffer
    const ahead = buffer ? buffer.length * 2 : Math.min(this.#expected, MAX_AHEAD)
    const grown = Buffer.allocUnsafe(Math.max(size, ahead))
    buffer?.copy(grown, 0, 0, this.size)
    this.#buffer = grown
    return grown
  }
}
