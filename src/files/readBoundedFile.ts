import { closeSync, openSync, readSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { concatBytes } from "../core/lib/bytes.js"
import { filesError } from "./errors.js"

const CHUNK = 1 << 20

/**
 * Reads a file of at most `limit` bytes, and unpacks it if it is gzip, again up to `limit` bytes: also where it is a
 * pipe or a device without end, or a few bytes that unpack to many. Throws `files.too_large`, and what the file system refuses.
 */
export function readBoundedFile(path: string, limit: number): Uint8Array {
  const bytes = readRawFile(path, limit)
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpackUpTo(bytes, limit, path) : bytes
}

/** Unpacks gzip. Throws `files.too_large` where it would be more than `limit` bytes, and what zlib says of bytes that are no gzip. */
function unpackUpTo(packed: Uint8Array, limit: number, file: string): Uint8Array {
  try {
    return gunzipSync(packed, { maxOutputLength: limit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw filesError("files.too_large", { file, limit })
    throw error
  }
}

/** Reads a file of at most `limit` bytes as it is, for bytes such as keys that may begin as gzip does. Throws as `readBoundedFile`. */
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
