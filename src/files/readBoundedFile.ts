import { closeSync, openSync, readSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { concatBytes } from "../core/lib/bytes.js"
import { filesError } from "./errors.js"

const CHUNK = 1 << 20

/** The maximum ratio of unpacked to packed bytes, and the number of bytes that any file may unpack to, however small it is. */
const MAX_RATIO = 16
const ALWAYS_UNPACKED = 64 << 20

/**
 * Reads a file of at most `limit` bytes, and unpacks it if it is gzip: up to `limit` bytes, and beyond 64 MiB up to 16 times its own size.
 * This is safe for an endless pipe or device, and for a few bytes that unpack to many. Throws `files.too_large`, and the file system's error.
 */
export function readBoundedFile(path: string, limit: number): Uint8Array {
  const bytes = readRawFile(path, limit)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  return unpackUpTo(bytes, Math.min(limit, Math.max(ALWAYS_UNPACKED, MAX_RATIO * bytes.length)), path)
}

/** Unpacks gzip. Throws `files.too_large` if it has more than `limit` bytes, and zlib's error for bytes that are not gzip. */
function unpackUpTo(packed: Uint8Array, limit: number, file: string): Uint8Array {
  try {
    return gunzipSync(packed, { maxOutputLength: limit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw filesError("files.too_large", { file, limit })
    throw error
  }
}

/**
 * Reads a file of at most `limit` bytes without unpacking, for bytes such as keys that may begin like gzip. Throws as `readBoundedFile`.
 */
export function readRawFile(path: string, limit: number): Uint8Array {
  const file = openSync(path, "r")
  try {
    const chunks: Uint8Array[] = []
    for (let read = 0; ; ) {
      const chunk = new Uint8Array(Math.min(CHUNK, limit + 1 - read))
      const size = readSync(file, chunk)
      if (size === 0) return concatBytes(...chunks)
      read += size
      if (read > limit) throw filesError("files.too_large", { file: path, limit })
      chunks.push(chunk.subarray(0, size))
    }
  } finally {
    closeSync(file)
  }
}
