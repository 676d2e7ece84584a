import type { IncomingMessage } from "node:http"

/** The marks of a request whose body was read. Node's types do not declare them. */
interface ReadMarks {
  /** Without it, Node reads the rest of the body itself. */
  _consuming: boolean
  /** Without it, the connection refers to the request, and so to the body, until the next request comes. */
  readonly _readableState: { endEmitted: boolean }
}

/**
 * Takes a body of a known size from Node's parser if it comes in one piece, and calls back in the next tick. The parser hands each piece to
 * `request.push`, and `null` at the end; what the stream behind it does for one piece takes as long as reading and answering a short
 * call. A body that comes otherwise is given to the stream, for which `inPieces` sets the listeners.
 */
export function takeWhole(request: IncomingMessage, size: number, inPieces: () => void, taken: (bytes: Buffer) => void): void {
  let whole: Buffer | undefined
  request.push = (piece: Buffer | null) => {
    if (piece === null && whole) {
      Reflect.deleteProperty(request, "push")
      const marks = request as IncomingMessage & ReadMarks
      marks._consuming = true
      marks._readableState.endEmitted = true
      process.nextTick(taken, whole)
      return false
    }
    if (piece?.length === size && !whole) {
      whole = piece
      return true
    }
    // From here on this is the method of the class again.
    Reflect.deleteProperty(request, "push")
    inPieces()
    if (whole) request.push(whole)
    return request.push(piece)
  }
}
