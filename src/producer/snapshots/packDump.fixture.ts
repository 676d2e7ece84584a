import { createHash } from "node:crypto"
import { gunzipSync, gzipSync } from "node:zlib"
import { decode, encode } from "../../core/codec/decode.js"
import { concatBytes } from "../../core/lib/bytes.js"
import { type Dump, dump, END_SIZE, endOf, MAGIC, VERSION } from "./dump.js"

/** Packs a dump of these values, which need not be consistent. */
export const packDump = (value: Dump): Uint8Array => packBytes(encode(dump, value))

/** Packs bytes that need not be a dump, with their digest. */
export function packBytes(bytes: Uint8Array): Uint8Array {
  const packed = gzipSync(bytes, { level: 3 })
  return concatBytes(MAGIC, Uint8Array.of(VERSION), packed, endOf(createHash("sha256").update(packed).digest()))
}

/** Unpacks the values of a dump. */
export const unpackDump = (bytes: Uint8Array): Dump => decode(dump, gunzipSync(bytes.subarray(MAGIC.length + 1, -END_SIZE)))
