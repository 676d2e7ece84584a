import { compress, decompress, init } from "@bokuweb/zstd-wasm"
import { concatBytes } from "../core/lib/bytes.js"
import { p2pError } from "../core/p2p/errors.js"
import type { Compression } from "../core/p2p/message.js"
import { findZstdFrame, type ZstdFrame } from "./zstdFrame.js"

/** The compression level, which is AvalancheGo's. Higher levels gain little. */
const LEVEL = 3

let loading: Promise<Compression> | undefined

/** Loads zstd in WebAssembly, once for the process. */
export function loadZstd(): Promise<Compression> {
  loading ??= init().then(() => ({ compress: (bytes) => compress(bytes, LEVEL), decompress: decompressWithin }))
  return loading
}

/** The size of the pieces in which AvalancheGo unpacks, bytes. */
const PIECE_SIZE = 128 * 1024

/**
 * Decompresses as AvalancheGo does, for which bytes behind a frame are an error, unless the content of the frame ends with a piece. No
 * encoder writes a second frame.
 */
function decompressWithin(bytes: Uint8Array, limit: number): Uint8Array {
  try {
    const parts: Uint8Array[] = []
    let left = limit
    for (let rest = bytes; rest.length > 0; ) {
      const frame = findZstdFrame(rest)
      if (!frame) break
      const part = contentOf(frame, left)
      parts.push(part)
      left -= part.length
      rest = frame.rest
      const isEndOfPiece = part.length > 0 && part.length % PIECE_SIZE === 0
      if (rest.length > 0 && !isEndOfPiece) throw new RangeError("bytes behind the frame")
    }
    return parts.length === 1 ? (parts[0] as Uint8Array) : concatBytes(...parts)
  } catch (error) {
    throw p2pError("p2p.bad_compression", { reason: (error as Error).message })
  }
}

/**
 * Unpacks a frame. The library writes into a buffer of the size that the frame states, or of the limit if it states none, and never past that
 * buffer. Throws an Error.
 */
function contentOf({ bytes, minSize, maxSize }: ZstdFrame, limit: number): Uint8Array {
  if (minSize > BigInt(limit)) throw new RangeError(`${minSize} bytes`)
  const content = decompress(bytes, { defaultHeapSize: limit })
  if (content.length < minSize || content.length > maxSize) throw new RangeError(`${content.length} bytes`)
  return content
}
