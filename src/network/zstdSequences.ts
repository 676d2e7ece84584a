/** A compressed block of a frame: where it begins, and its size. */
interface CompressedBlock {
  readonly start: number
  readonly size: number
}

const RESERVED_BITS = 0x03

/**
 * Clears the reserved bits of compressed blocks. zstd 1.5.2, which AvalancheGo has, ignores them; later versions refuse such a block. Returns a
 * copy if there are any.
 */
export function withoutReservedBits(bytes: Uint8Array, blocks: Iterable<CompressedBlock>): Uint8Array {
  let cleared = bytes
  for (const { start, size } of blocks) {
    const at = start + sequenceModesAt(bytes.subarray(start, start + size))
    if (at >= start + size || ((bytes[at] as number) & RESERVED_BITS) === 0) continue
    if (cleared === bytes) cleared = bytes.slice()
    ;(cleared[at] as number) &= ~RESERVED_BITS
  }
  return cleared
}

/** Returns where the byte with the modes of the sequences is in a compressed block; beyond its end if it has none. */
function sequenceModesAt(block: Uint8Array): number {
  const at = literalsSize(block)
  const count = block[at] ?? 0
  if (count === 0) return block.length
  return at + (count < 128 ? 1 : count < 255 ? 2 : 3)
}

/** Returns the size of the literals at the beginning of a compressed block, with their header. */
function literalsSize(block: Uint8Array): number {
  const first = block[0] ?? 0
  const sizeFormat = (first >> 2) & 3
  /** A number in the first bytes, little-endian: `count` bits from `from` on. */
  const bits = (from: number, count: number) => {
    let value = 0
    for (let i = 4; i >= 0; i--) value = value * 256 + (block[i] ?? 0)
    return Math.floor(value / 2 ** from) % 2 ** count
  }
  if ((first & 2) === 0) {
    const [headerSize, from, count] = (
      [
        [1, 3, 5],
        [2, 4, 12],
        [1, 3, 5],
        [3, 4, 20],
      ] as const
    )[sizeFormat] as [number, number, number]
    const isRepeated = (first & 1) !== 0
    return headerSize + (isRepeated ? 1 : bits(from, count))
  }
  const [headerSize, count] = (
    [
      [3, 10],
      [3, 10],
      [4, 14],
      [5, 18],
    ] as const
  )[sizeFormat] as [number, number]
  return headerSize + bits(4 + count, count)
}
