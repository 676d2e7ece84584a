import type { ByteBudget } from "../limits/byteBudget.js"
import type { Meter } from "../limits/meter.js"
import type { HttpRequest } from "./httpRequest.js"

/** The size that every body may have even if the server is full, bytes. Slow senders of large bodies therefore do not block small ones. */
const ALWAYS = 1 << 16

/** The maximum number of bytes that are allocated before they have arrived. */
const MAX_AHEAD = 1 << 16

/** The maximum number of pieces of a body. Each piece costs more than a microsecond, whatever its size. */
export const MAX_PIECES = 1 << 16

/** Milliseconds that Node takes for each piece after the first before Serac receives it. */
const PIECE_MILLISECONDS = 0.002

/** Milliseconds to read a byte from a socket: one millisecond per MiB. */
const BYTE_MILLISECONDS = 1 / (1 << 20)

/** The reason why a body was not read to its end. */
export type BodyFault = "too large" | "too many pieces" | "no room"

/** Limits of a body. */
export interface BodyLimits {
  /** The maximum size of this body, bytes. */
  readonly limit: number
  /** The bytes of all bodies that are being read or answered, beyond what each body may always have. */
  readonly budget: ByteBudget
  readonly meter: Meter
  /** Called if the client's pieces have used up the current turn of the event loop. Calls back in a later turn. */
  holdBack(resume: () => void): void
}

/** A body that was read. Its memory is released after it has been answered. */
export interface Body {
  readonly bytes: Buffer
  release(): void
}

const counted = (size: number): number => Math.max(0, size - ALWAYS)

const EMPTY = Buffer.alloc(0)

/** A buffer that grows with the bytes that have arrived, independent of the number of pieces. */
class GrowingBuffer {
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

/**
 * Reads a body and passes it on once. It passes on nothing if the client disconnects. It uses events instead of an iterator, which costs a
 * third of the throughput.
 */
export function readBody(request: HttpRequest, limits: BodyLimits, done: (body: Body | BodyFault) => void): void {
  const { limit, meter } = limits
  const declared = Number(request.headers["content-length"] ?? 0)
  if (declared > limit) {
    done("too large")
    return
  }
  const inPieces = () => readPieces(request, declared, limits, done)
  // The body of a request that had to wait may be there already.
  const hasBegun = request.complete || request.readableLength > 0
  if (hasBegun || declared === 0 || declared > ALWAYS) inPieces()
  else {
    const taken = (bytes: Buffer) => {
      meter.charge(bytes.length * BYTE_MILLISECONDS)
      done({ bytes, release: nothingToRelease })
    }
    request.takeWhole({ size: declared, inPieces, taken })
  }
}

const nothingToRelease = (): void => {}

/** Reads a body that may be long or come in pieces. */
function readPieces(request: HttpRequest, declared: number, limits: BodyLimits, done: (body: Body | BodyFault) => void): void {
  const { limit, budget, meter, holdBack } = limits
  const body = new GrowingBuffer(declared)
  let pieces = 0
  let isOver = false
  const release = () => budget.give(meter.client, counted(body.size))
  const finish = (result: "read" | BodyFault | undefined): void => {
    if (isOver) return
    isOver = true
    if (result === "read") done({ bytes: body.bytes(), release })
    else {
      release()
      if (result !== undefined) done(result)
    }
  }
  const take = (piece: Buffer): void => {
    const size = body.size + piece.length
    if (size > limit) finish("too large")
    else if (++pieces > MAX_PIECES) finish("too many pieces")
    else if (!budget.take(meter.client, counted(size) - counted(body.size))) finish("no room")
    else body.add(piece)
  }
  request.on("data", (piece: Buffer) => {
    if (isOver) return
    meter.charge(piece.length * BYTE_MILLISECONDS)
    if (pieces > 0) meter.spend(PIECE_MILLISECONDS)
    meter.run(() => take(piece))
    // Most bodies arrive in one piece, so the first piece may be the last.
    if (pieces < 2 || isOver || request.isPaused() || !meter.isTurnOver) return
    request.pause()
    holdBack(() => request.resume())
  })
  request.on("end", () => finish("read"))
  // This also runs if the client disconnects.
  request.on("error", () => finish(undefined))
}
