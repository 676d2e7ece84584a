import { compress, decompress, init } from "@bokuweb/zstd-wasm"
import { p2pError } from "../core/p2p/errors.js"
import type { Compression } from "../core/p2p/message.js"
import { zstdContentSize } from "./zstdFrame.js"

/** The level at which most of the gain is had; AvalancheGo's. */
const LEVEL = 3

let loading: Promise<Compression> | undefined

/** zstd in WebAssembly; loaded once for the process. */
export function loadZstd(): Promise<Compression> {
  loading ??= init().then(() => ({ compress: (bytes) => compress(bytes, LEVEL), decompress: decompressWithin }))
  return loading
}

/**
 * Decompresses into a buffer that has room for what the frame says, or for the limit where it says nothing. The library never
 * writes past that buffer, so the limit holds while it works, whatever the frame says.
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
