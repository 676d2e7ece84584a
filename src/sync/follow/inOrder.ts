/**
 * Fetches pieces in parallel and returns them in order. `fetchPiece` starts the piece of a number; at most `width` are in progress. It ends
 * after the piece of `last`. If a piece fails, those after it are dropped.
 */
export async function* inOrder<T>(
  first: bigint,
  last: bigint,
  width: number,
  fetchPiece: (at: bigint) => Promise<T>,
): AsyncGenerator<T> {
  const pieces: Promise<T>[] = []
  let next = first
  const begin = () => {
    const piece = fetchPiece(next++)
    // A reader that waits for the piece gets the failure; the failure of a piece without a reader is ignored.
    piece.catch(() => {})
    pieces.push(piece)
  }
  while (pieces.length > 0 || next <= last) {
    while (pieces.length < width && next <= last) begin()
    yield (await pieces.shift()) as T
  }
}
