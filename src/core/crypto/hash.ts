import { ripemd160 } from "@noble/hashes/legacy.js"
import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js"
import { toHex } from "../lib/bytes.js"

/** Computes SHA-256, 32 bytes. */
export const sha256 = (bytes: Uint8Array): Uint8Array => nobleSha256(bytes)

/** Computes SHA-256 as lowercase hex, the form of IDs. */
export const sha256Hex = (bytes: Uint8Array): string => toHex(nobleSha256(bytes))

/** Computes RIPEMD-160 of SHA-256 as lowercase hex, the form of addresses and node IDs. */
export const hash160Hex = (bytes: Uint8Array): string => toHex(ripemd160(nobleSha256(bytes)))
