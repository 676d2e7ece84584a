import { decode, encode } from "../codec/decode.js"
import type { Codec } from "../codec/schema.js"
import { concatBytes } from "../lib/bytes.js"
import { CHECKSUM_SIZE, checksumOf } from "./cb58.js"
import { topLevelUtxo, type Utxo } from "./utxo.js"

/**
 * A UTXO as wallets and nodes exchange it: codec version, UTXO, and the checksum of both. An index that lists these bytes saves its readers
 * the encoding and the hash (a page of 100 in 35 instead of 88 µs).
 */
export const utxoBytes: Codec<Uint8Array> = {
  minSize: topLevelUtxo.minSize + CHECKSUM_SIZE,
  jsonSchema: { type: "string", pattern: "^0x([0-9a-f]{2})*$" },
  read: (r) => r.bytes(r.left),
  write: (w, value) => w.bytes(value),
  toJson: (value, as) => topLevelUtxo.toJson(utxoIn(value), as),
  fromJson: (json, as, path) => utxoBytesOf(topLevelUtxo.fromJson(json, as, path)),
}

/** Encodes a UTXO with its checksum. */
export const utxoBytesOf = (utxo: Utxo): Uint8Array => withChecksum(encode(topLevelUtxo, utxo))

/** Puts the checksum behind the bytes of a UTXO that come from elsewhere. */
export const withChecksum = (bytes: Uint8Array): Uint8Array => concatBytes(bytes, checksumOf(bytes))

/** Decodes a UTXO; the checksum is ours and not verified. */
export const utxoIn = (bytes: Uint8Array): Utxo => decode(topLevelUtxo, bytes.subarray(0, -CHECKSUM_SIZE))

/** The bytes without the checksum. */
export const withoutUtxoChecksum = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, -CHECKSUM_SIZE)
