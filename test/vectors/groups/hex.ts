import { type Encoding, fromHexText, parseEncoding, toHexText } from "../../../src/core/types/hexText.js"
import type { Group } from "../group.js"
import { bytesOf } from "../values.js"

/** hex.json: bytes as the API carries them, with checksum and without. */
export const hex: Group = {
  valid(entry, verdict) {
    const encoding = parseEncoding(entry.encoding)
    verdict.equal("text", toHexText(bytesOf(entry.bytes), encoding), entry.text)
    verdict.equal("bytes", fromHexText(entry.text, encoding), entry.bytes)
  },
  decodes(entry, verdict) {
    verdict.equal("bytes", fromHexText(entry.text, parseEncoding(entry.encoding)), entry.bytes)
  },
  invalid(entry, verdict) {
    verdict.refuses(`${entry.text} (${entry.error})`, () => fromHexText(entry.text, parseEncoding(entry.encoding)))
  },
  "encoding names"(entry, verdict) {
    for (const name of entry.rejected ?? []) verdict.refuses(`"${name}" (${entry.error})`, () => parseEncoding(name))
    for (const name of entry.accepted ?? []) {
      const encoding = parseEncoding(name)
      verdict.equal(`${name}: output_name`, encoding, entry.output_name)
      verdict.equal(`${name}: means`, meaningOf(encoding), meaningOf(parseEncoding(entry.means)))
    }
  },
}

/** The result of an encoding for some bytes: two names are equal when their results are equal. */
function meaningOf(encoding: Encoding): string {
  return encoding === "json" ? "json" : toHexText(Uint8Array.of(1, 2, 3), encoding)
}
