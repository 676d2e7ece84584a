import { base58 } from "@scure/base"
import { toHex } from "../../../src/core/lib/bytes.js"
import { parseShortID, shortIDText } from "../../../src/core/types/address.js"
import { fromCb58, toCb58 } from "../../../src/core/types/cb58.js"
import { idText, parseID } from "../../../src/core/types/id.js"
import type { Group } from "../group.js"
import { bytesOf } from "../values.js"

/** cb58.json: bytes and their text, both ways. */
export const cb58: Group = {
  bytes(entry, verdict) {
    const bytes = bytesOf(entry.bytes)
    verdict.equal("cb58", toCb58(bytes), entry.cb58)
    verdict.equal("bytes", fromCb58(entry.cb58), bytes)
    if (entry.base58_plain !== undefined) verdict.equal("base58_plain", base58.encode(bytes), entry.base58_plain)
  },
  id(entry, verdict) {
    const id = parseID(entry.cb58)
    verdict.equal("bytes", id, entry.bytes)
    verdict.equal("cb58", idText(id), entry.cb58)
  },
  "short id"(entry, verdict) {
    const id = parseShortID(entry.cb58)
    verdict.equal("bytes", id, entry.bytes)
    verdict.equal("cb58", shortIDText(id), entry.cb58)
  },
  invalid(entry, verdict) {
    verdict.refuses(`cb58 ${entry.cb58} (${entry.error})`, () => toHex(fromCb58(entry.cb58)))
  },
}
