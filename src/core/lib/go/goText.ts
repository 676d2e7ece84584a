import { equalBytes, latin1, latin1Bytes, textOfUtf8, utf8 } from "../bytes.js"

/** A name that folding does not change. */
const PLAIN_NAME = /^[a-z]*$/

/** Converts the name of a member to the form that Go compares: simple case folding, which includes the long s and the Kelvin sign. */
export function foldedName(name: string): string {
  if (PLAIN_NAME.test(name)) return name
  // `toLowerCase` also converts the Kelvin sign.
  const lower = name.toLowerCase()
  return lower.includes("\u017f") ? lower.replaceAll("\u017f", "s") : lower
}

/** Replaces each half of a surrogate pair by U+FFFD, because UTF-8 cannot express it. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd")
}

/** One character in UTF-8, each byte as a Latin-1 character; or a byte that starts no character. */
const CHARACTER =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g

/** Matches a character of `CHARACTER`, or any ASCII character. */
const ANY_CHARACTER = new RegExp(`${CHARACTER.source}|.`, "gs")

/**
 * The maximum length of a text that is decoded character by character. Longer texts are decoded at once, because splitting them would take
 * seconds, and no client sends such texts in another encoding.
 */
const MAX_EXACT = 1 << 16

/** Decodes UTF-8. As in Go, each byte that is not UTF-8 becomes one U+FFFD; JavaScript's decoder replaces several bytes by one. */
export function utf8Text(bytes: Uint8Array): string {
  const text = textOfUtf8(bytes)
  if (bytes.length > MAX_EXACT || !text.includes("\ufffd") || equalBytes(utf8(text), bytes)) return text
  const decoded = (each: string) => (each.length === 1 ? "\ufffd" : textOfUtf8(latin1Bytes(each)))
  return latin1(bytes).replace(CHARACTER, decoded)
}

/** Splits UTF-8 (each byte a Latin-1 character) into characters. A byte that belongs to none becomes U+FFFD. */
export function utf8Characters(latin1: string): string[] {
  return (latin1.match(ANY_CHARACTER) ?? []).map((each) => textOfUtf8(latin1Bytes(each)))
}
