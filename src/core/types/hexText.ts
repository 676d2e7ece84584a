import { sha256Hex } from "../crypto/hash.js"
import { fromHex, toHex, utf8 } from "../lib/bytes.js"
import { CHECKSUM_SIZE, withoutChecksum } from "./cb58.js"
import { typeError } from "./errors.js"

/** Encodings of bytes in the API: `hex` and `hexc` with a checksum, `hexnc` without; `json` is not a text. */
export type Encoding = "hex" | "hexc" | "hexnc" | "json"

const ENCODINGS: readonly string[] = ["hex", "hexc", "hexnc", "json"]

/** Returns the encoding of this name, in any letter case. */
export function parseEncoding(name: string): Encoding {
  const lower = name.toLowerCase()
  if (!ENCODINGS.includes(lower)) throw typeError("types.bad_encoding", { encoding: name })
  return lower as Encoding
}

/** Writes bytes as `0x` hex, followed by the checksum unless the encoding has none. */
export function toHexText(bytes: Uint8Array, encoding: Encoding = "hex"): string {
  if (encoding === "json") throw typeError("types.unsupported_encoding")
  // The checksum is taken from the end of the digest's own hex, so that no bytes are copied (a UTXO in 2 instead of 4 µs).
  return `0x${toHex(bytes)}${encoding === "hexnc" ? "" : sha256Hex(bytes).slice(-2 * CHECKSUM_SIZE)}`
}

/** Reads a hex text. The empty text gives no bytes in every encoding, also in `json`, which accepts no other text. */
export function fromHexText(text: string, encoding: Encoding = "hex"): Uint8Array {
  if (text === "") return new Uint8Array(0)
  if (encoding === "json") throw typeError("types.unsupported_encoding")
  if (!text.startsWith("0x")) throw typeError("types.no_hex_prefix", { text: text.slice(0, 16) })
  const bytes = hexDigits(text.slice(2))
  return encoding === "hexnc" ? bytes : withoutChecksum(bytes)
}

/** Reads hex digits of either case. The refusal names the first wrong pair. */
export function hexDigits(digits: string): Uint8Array {
  const bytes = fromHex(digits)
  if (bytes) return bytes
  const position = digits.search(/[^0-9a-fA-F]/)
  if (position < 0) throw typeError("types.odd_hex", { digits: digits.length })
  throw typeError("types.bad_hex", { code: utf8(digits.slice(position, position + 2))[0], position })
}
