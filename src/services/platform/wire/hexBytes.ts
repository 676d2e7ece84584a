import { fromHex } from "../../../core/lib/bytes.js"
import { platformError } from "../errors.js"

/** Reads hex with or without `0x`. Throws `platform.bad_hex`. */
export function hexBytes(text: string): Uint8Array {
  const bytes = fromHex(/^0x/i.test(text) ? text.slice(2) : text)
  if (!bytes) throw platformError("platform.bad_hex")
  return bytes
}
