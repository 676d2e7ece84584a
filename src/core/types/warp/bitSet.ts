import { typeError } from "../errors.js"

/**
 * Returns the positions of the one-bits, lowest first. The set is one big-endian number: bit 0 is the lowest bit of the last byte. A
 * leading zero byte is refused (`types.bitset_padded`), so that every set has one encoding.
 */
export function bitSetIndices(set: Uint8Array): number[] {
  if (set[0] === 0) throw typeError("types.bitset_padded")
  const indices: number[] = []
  for (let i = 0; i < set.length * 8; i++) {
    const byte = set[set.length - 1 - (i >> 3)] as number
    if ((byte >> (i & 7)) & 1) indices.push(i)
  }
  return indices
}

/** Returns the shortest bit set with these positions. */
export function bitSetOf(indices: readonly number[]): Uint8Array {
  const size = indices.length === 0 ? 0 : (Math.max(...indices) >> 3) + 1
  const set = new Uint8Array(size)
  for (const i of indices) set[size - 1 - (i >> 3)]! |= 1 << (i & 7)
  return set
}
