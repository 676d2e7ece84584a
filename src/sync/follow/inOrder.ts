/**
 * Fetches pieces side by side and gives them in order. `fetchPiece` begins the piece of a number; at most `width` are under way. Ends
 * after the piece of `last`. Where a piece fails, those after it are dropped.
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
