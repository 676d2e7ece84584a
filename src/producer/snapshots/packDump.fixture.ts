import { gunzipSync, gzipSync } from "node:zlib"
import { decode, encode } from "../../core/codec/decode.js"
import { concatBytes } from "../../core/lib/bytes.js"
import { type Dump, dump, MAGIC, VERSION } from "./dump.js"

/** Packs a dump of these values, which need not be consistent. */
export const packDump = (value: Dump): Uint8Array =>
  concatBytes(MAGIC, Uint8Array.of(VERSION), gzipSync(encode(dump, value), { level: 3 }))

/** Unpacks the values of a dump. */
export const unpackDump = (bytes: Uint8Array): Dump => decode(dump, gunzipSync(bytes.subarray(MAGIC.length + 1)))
