import { fromHex } from "../../../core/lib/bytes.js"
import { platformError } from "../errors.js"

/**
 * The maximum size of decoded bytes: 64 KiB and a checksum. The JSON of a transaction with 3,000 owners and the position of every field
 * takes some 50 ms.
 */
const MAX_BYTES = (1 << 16) + 4

/** Reads hex with or without `0x`. Throws `platform.bad_hex` and `platform.too_many_bytes`. */
export function hexBytes(text: string): Uint8Array {
  const digits = /^0x/i.test(text) ? text.slice(2) : text
  // The length is checked first, so that a long text is refused at once.
  const size = Math.ceil(digits.length / 2)
  if (size > MAX_BYTES) throw platformError("platform.too_many_bytes", { size, limit: MAX_BYTES })
  const bytes = fromHex(digits)
  if (!bytes) throw platformError("platform.bad_hex")
  return bytes
}
