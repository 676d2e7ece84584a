import { isUtf8 } from "node:buffer"

/** A member's name as Go compares it: by simple case folding, so that the long s and the Kelvin sign are letters too. */
export function foldedName(name: string): string {
  // `toLowerCase` knows the Kelvin sign.
  return name.toLowerCase().replaceAll("\u017f", "s")
}

/** The text with U+FFFD for each half of a surrogate pair: they have no UTF-8. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd")
}

/** One character in UTF-8, seen as Latin-1; or a byte that begins none. */
const CHARACTER =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g

/** Nobody has texts of this size that are not UTF-8, and taking them apart would take seconds. */
const MAX_EXACT = 1 << 16

/** Bytes as text. What is not UTF-8 becomes U+FFFD byte by byte, as in Go; others make one of several. */
export function utf8Text(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString("utf8")
  if (bytes.length > MAX_EXACT || !text.includes("\ufffd") || isUtf8(bytes)) return text
  const decoded = (each: string) => (each.length === 1 ? "\ufffd" : Buffer.from(each, "latin1").toString("utf8"))
  return buffer.toString("latin1").replace(CHARACTER, decoded)
}
