import { fromHex } from "../../../core/lib/bytes.js"
import { platformError } from "../errors.js"

/** How many bytes are decoded at once: twice as many as a block has, and some ten milliseconds of work. */
const MAX_BYTES = 1 << 18

/** Reads hex with or without `0x`. Throws `platform.bad_hex` and `platform.too_many_bytes`. */
export function hexBytes(text: string): Uint8Array {
  const bytes = fromHex(/^0x/i.test(text) ? text.slice(2) : text)
  if (!bytes) throw platformError("platform.bad_hex")
  if (bytes.length > MAX_BYTES) throw platformError("platform.too_many_bytes", { size: bytes.length, limit: MAX_BYTES })
  return bytes
}
