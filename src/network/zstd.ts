import { compress, decompress, init } from "@bokuweb/zstd-wasm"
import { p2pError } from "../core/p2p/errors.js"
import type { Compression } from "../core/p2p/message.js"
import { zstdContentSize } from "./zstdFrame.js"

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
