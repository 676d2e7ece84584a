import { IncomingMessage } from "node:http"
import type { Meter } from "../limits/meter.js"
import { GrowingBuffer } from "./growingBuffer.js"

/** A promise for tasks that run when the parser has returned. With a tick of Node, a small call was measured to take 5 to 7 % longer. */
const NOW = Promise.resolve()

/** The number of bytes of a body that are read before its request is handled. */
const MAX_EARLY = 1 << 16

/** The marks of a request whose body was read. Node's types do not declare them. */
interface ReadMarks {
  /** Without it, Node reads the rest of the body itself. */
  _consuming: boolean
  /** Without it, the connection refers to the request, and so to the body, until the next request comes. */
  readonly _readableState: { endEmitted: boolean }
}

/** The reader of the pieces of a body. */
export interface PieceReader {
  take(piece: Buffer): void
  end(): void
}

/** The reader of a body that may come in one piece. */
export interface BodyReader {
  /** The size of a body that may be taken whole, bytes; -1 for a body that is always read in pieces. */
  readonly size: number
  /** Returns the reader of a body that comes in several pieces. Called once at most. */
  inPieces(): PieceReader
  /** Takes a body that came in one piece. */
  taken(bytes: Buffer): void
}

/** A body that comes in several pieces, or before its request is handled. */
interface Pieces {
  count: number
  reader: PieceReader | undefined
  /** The bytes that came before there was a reader. */
  early: GrowingBuffer | undefined
  /** True if the request was answered, so that the rest of its body is ignored. */
  isIgnored: boolean
}

/**
 * A request whose body is read without a stream. Node's parser hands each piece of a body to `push`, and `null` at its end. What the stream
 * behind it does for one piece takes as long as reading and answering a short call, and a read of 64 KiB may have 10,000 pieces.
 *
 * It is a class because a function that is set as `push` of each request was measured to leave garbage that V8 removes only when it searches
 * all memory. It has few members, because a body in one piece needs no more and each member was measured to take time.
 */
export class HttpRequest extends IncomingMessage {
  /** Charged for each piece of a body that comes in several, also for those that are never read. */
  meter: Pick<Meter, "takePiece"> | undefined
  #reader: BodyReader | undefined
  /** The body, if it came in one piece. */
  #whole: Buffer | undefined
  #pieces: Pieces | undefined

  /** Number of pieces of the body that have come. */
  get pieces(): number {
    return this.#pieces?.count ?? (this.#whole ? 1 : 0)
  }

  /** Hands the body to a reader, and its end in a later tick. Called once at most. */
  takeBody(reader: BodyReader): void {
    this.#reader = reader
    if (this.#pieces?.early) this.#takeEarly(this.#pieces)
    if (this.complete) this.#end()
  }

  override push(piece: Buffer | null): boolean {
    if (piece === null) {
      this.#end()
      return false
    }
    if (this.#whole === undefined && this.#pieces === undefined && piece.length === this.#reader?.size) {
      this.#whole = piece
      return true
    }
    return this.#take(piece)
  }

  /** Node calls this if it has sent the answer before the body was read. The rest of the body still comes to `push`, which charges it. */
  _dump(): void {
    const pieces = this.#startPieces()
    pieces.isIgnored = true
    if (pieces.early) this.socket.resume()
    pieces.early = undefined
  }

  #startPieces(): Pieces {
    this.#pieces ??= { count: this.#whole ? 1 : 0, reader: undefined, early: undefined, isIgnored: false }
    return this.#pieces
  }

  /** Takes a piece of a body. Returns false if no more should be read before the request is handled. */
  #take(piece: Buffer): boolean {
    const pieces = this.#startPieces()
    pieces.count++
    this.meter?.takePiece(piece.length)
    if (this.#reader) this.#handOver(pieces, piece)
    else if (!pieces.isIgnored) {
      pieces.early ??= new GrowingBuffer(1)
      pieces.early.add(piece)
      return pieces.early.size < MAX_EARLY
    }
    return true
  }

  #takeEarly(pieces: Pieces): void {
    const { early } = pieces
    pieces.early = undefined
    if (!early) return
    this.#handOver(pieces, early.bytes())
    if (early.size >= MAX_EARLY) this.socket.resume()
  }

  #handOver(pieces: Pieces, piece: Buffer): void {
    pieces.reader ??= this.#reader?.inPieces()
    if (this.#whole) pieces.reader?.take(this.#whole)
    this.#whole = undefined
    pieces.reader?.take(piece)
  }

  #end(): void {
    const reader = this.#reader
    const whole = this.#whole
    const marks = this as unknown as ReadMarks
    marks._consuming = true
    marks._readableState.endEmitted = true
    if (!reader) return
    this.#reader = undefined
    this.#whole = undefined
    if (whole) NOW.then(() => reader.taken(whole))
    else {
      const pieces = this.#pieces?.reader ?? reader.inPieces()
      process.nextTick(() => pieces.end())
    }
  }
}
