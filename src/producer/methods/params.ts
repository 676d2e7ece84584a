import { Invalid } from "../../core/lib/invalid.js"
import type { Address } from "../../core/types/address.js"
import { withoutChecksum } from "../../core/types/cb58.js"
import { hexDigits } from "../../core/types/hexText.js"
import { bool, described, withDefault } from "../../jsonrpc/schema/kinds.js"
import { parseAddresses } from "../../services/platform/params/addresses.js"
import type { DevContext } from "./context.js"
import { devError } from "./errors.js"

/** Confirms that the clock may move by more than 100 years. */
export const force = described(
  withDefault(bool, false),
  "Whether the clock can be moved by more than 100 years, which takes a long time.",
)

/** Whether EVM chains show a time to which the clock was moved. */
export const l1Blocks = described(
  withDefault(bool, true),
  "Whether each EVM chain of this node then makes a block, by a payment of nothing, so that its latest block has the new time.",
)

/** Reads `0x` hex, with the checksum of this API or without. Throws `dev.bad_hex`. */
export function hexParam(param: string, text: string): Uint8Array {
  if (!text.startsWith("0x")) throw devError("dev.bad_hex", { param })
  try {
    return withoutOwnChecksum(hexDigits(text.slice(2)))
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw devError("dev.bad_hex", { param, reason: error.sentence })
  }
}

/** Removes the checksum if there is one. Four bytes match by accident in one of four thousand million cases. */
function withoutOwnChecksum(bytes: Uint8Array): Uint8Array {
  try {
    return withoutChecksum(bytes)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return bytes
  }
}

/** Reads one address or more, each once, in order. Throws `dev.no_addresses` and `platform.bad_address`. */
export function requireAddresses(texts: readonly string[], context: Pick<DevContext, "node">): readonly Address[] {
  if (texts.length === 0) throw devError("dev.no_addresses")
  return parseAddresses(texts, context)
}

/** Throws `dev.bad_count` if a number is not within these bounds. */
export function checkCount(param: string, value: number, least: number, most: number): void {
  if (value < least || value > most) throw devError("dev.bad_count", { param, value, least, most })
}

/** Returns a percentage as shares, which are millionths. Throws `dev.bad_share`. */
export function sharesOf(percent: number): number {
  if (!(percent >= 0 && percent <= 100)) throw devError("dev.bad_share", { compound: percent })
  return Math.round(percent * 10_000)
}
