const MAGIC = 0xfd2fb528

/**
 * Returns the size of the content that a zstd frame states; `undefined` if it states none. It returns impossible sizes as they are written.
 * Throws a RangeError if the bytes do not begin with a zstd frame.
 */
export function zstdContentSize(bytes: Uint8Array): bigint | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== MAGIC) throw new RangeError("no zstd frame")
  const descriptor = view.getUint8(4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const dictionarySize = [0, 1, 2, 4][descriptor & 3] as number
  const at = 5 + (isSingleSegment ? 0 : 1) + dictionarySize
  switch (descriptor >> 6) {
    case 0:
      return isSingleSegment ? BigInt(view.getUint8(at)) : undefined
    case 1:
      return BigInt(view.getUint16(at, true)) + 256n
    case 2:
      return BigInt(view.getUint32(at, true))
    default:
      return view.getBigUint64(at, true)
  }
}
