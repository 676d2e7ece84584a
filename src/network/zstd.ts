import { compress, decompress, init } from "@bokuweb/zstd-wasm"
import { p2pError } from "../core/p2p/errors.js"
import type { Compression } from "../core/p2p/message.js"

/** The compression level, which is AvalancheGo's. Higher levels gain little. */
const LEVEL = 3

let loading: Promise<Compression> | undefined

/** Loads zstd in WebAssembly, once for the process. */
export function loadZstd(): Promise<Compression> {
  loading ??= init().then(() => ({ compress: (bytes) => compress(bytes, LEVEL), decompress: decompressWithin }))
  return loading
}

/**
 * Decompresses into a buffer of the size that the frame states, or of the limit if it states none. The library never writes past that
 * buffer, so the limit holds whatever the frame states.
 */
function decompressWithin(bytes: Uint8Array, limit: number): Uint8Array {
  try {
    const size = zstdContentSize(bytes)
    if (size !== undefined && size > BigInt(limit)) throw new RangeError(`${size} bytes`)
    return decompress(bytes, { defaultHeapSize: limit })
  } catch (error) {
    throw p2pError("p2p.bad_compression", { reason: (error as Error).message })
  }
}

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
