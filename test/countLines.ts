/** Counts the ends of lines in a part of an output. */
export function countLines(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count++
  return count
}
