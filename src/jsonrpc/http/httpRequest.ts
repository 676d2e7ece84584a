import { IncomingMessage } from "node:http"

/** The marks of a request whose body was read. Node's types do not declare them. */
interface ReadMarks {
  /** Without it, Node reads the rest of the body itself. */
  _consuming: boolean
  /** Without it, the connection refers to the request, and so to the body, until the next request comes. */
  readonly _readableState: { endEmitted: boolean }
}

/** The reader of a body that may come in one piece. */
interface WholeReader {
  /** The size of the body, bytes. */
  readonly size: number
  /** Sets the listeners of a stream. Called if the body comes otherwise. */
  inPieces(): void
  taken(bytes: Buffer): void
}

/**
 * A request whose body can be taken without a stream. Node's parser hands each piece of a body to `push`, and `null` at its end; what the
 * stream behind it does for one piece takes as long as reading and answering a short call.
 *
 * It is a class because a function that is set as `push` of each request was measured to leave garbage that V8 removes only when it searches
 * all memory.
 */
export class HttpRequest extends IncomingMessage {
  #reader: WholeReader | undefined
  #whole: Buffer | undefined

  /** Takes a body of a known size if it comes in one piece, and calls `taken` in the next tick. */
  takeWhole(reader: WholeReader): void {
    this.#reader = reader
  }

  override push(piece: Buffer | null): boolean {
    const reader = this.#reader
    if (reader === undefined) return super.push(piece)
    const whole = this.#whole
    if (piece === null && whole) {
      this.#forget()
      const marks = this as unknown as ReadMarks
      marks._consuming = true
      marks._readableState.endEmitted = true
      process.nextTick(reader.taken, whole)
      return false
    }
    if (piece?.length === reader.size && !whole) {
      this.#whole = piece
      return true
    }
    this.#forget()
    reader.inPieces()
    if (whole) super.push(whole)
    return super.push(piece)
  }

  #forget(): void {
    this.#reader = undefined
    this.#whole = undefined
  }
}
