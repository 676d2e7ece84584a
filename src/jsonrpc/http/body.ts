import type { ClientBudget } from "../limits/clientBudget.js"
import type { Meter } from "../limits/meter.js"
import { GrowingBuffer } from "./growingBuffer.js"
import type { HttpRequest, PieceReader } from "./httpRequest.js"

/** The size that every body may have even if the server is full, bytes. Slow senders of large bodies therefore do not block small ones. */
const ALWAYS = 1 << 16

/** The maximum number of pieces of a body. Each piece costs more than a microsecond, whatever its size. */
export const MAX_PIECES = 1 << 16

/** The reason why a body was not read to its end. */
export type BodyFault = "too large" | "too many pieces" | "no room"

/** Limits of a body. */
export interface BodyLimits {
  /** The maximum size of this body, bytes. */
  readonly limit: number
  /** The bytes of all bodies that are being read or answered, beyond the bytes that each body may always have. */
  readonly budget: ClientBudget
  readonly meter: Meter
}

/** A body that was read. Its memory is released after it has been answered. */
export interface Body {
  readonly bytes: Buffer
  release(): void
}

const counted = (size: number): number => Math.max(0, size - ALWAYS)

/** Reads a body and passes it on once. It passes on nothing if the client disconnects. */
export function readBody(request: HttpRequest, limits: BodyLimits, done: (body: Body | BodyFault) => void): void {
  const { limit, meter } = limits
  const declared = Number(request.headers["content-length"] ?? 0)
  if (declared > limit) {
    done("too large")
    return
  }
  request.takeBody({
    size: declared === 0 || declared > ALWAYS ? -1 : declared,
    inPieces: () => pieceReader(request, declared, limits, done),
    taken(bytes) {
      meter.chargeBytes(bytes.length)
      done({ bytes, release: nothingToRelease })
    },
  })
}

const nothingToRelease = (): void => {}

/** Returns the reader of a body that may be long or come in pieces. */
function pieceReader(
  request: HttpRequest,
  declared: number,
  limits: BodyLimits,
  done: (body: Body | BodyFault) => void,
): PieceReader {
  const { limit, budget, meter } = limits
  const body = new GrowingBuffer(declared)
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
  // This also runs if the client disconnects.
  request.on("error", () => finish(undefined))
  return {
    take(piece) {
      if (isOver) return
      const size = body.size + piece.length
      if (size > limit) finish("too large")
      else if (request.pieces > MAX_PIECES) finish("too many pieces")
      else if (!budget.take(meter.client, counted(size) - counted(body.size))) finish("no room")
      else body.add(piece)
    },
    end: () => finish("read"),
  }
}
