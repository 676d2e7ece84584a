import { MAX64 } from "../lib/math64.js"
import { typeError } from "./errors.js"

/** nAVAX is a billionth of an AVAX. */
const DECIMALS = 9

/** Reads an amount of AVAX such as `1.5` or `30,000 AVAX` as nAVAX, exactly. Throws `types.bad_amount`. */
export function parseAvax(text: string): bigint {
  // Numbers are refused, too: those of JavaScript are not exact.
  const found = typeof text === "string" && /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,9}))?( ?AVAX)?$/i.exec(text.trim())
  if (!found) throw typeError("types.bad_amount", { text })
  const [, whole = "", fraction = ""] = found
  const amount = BigInt(whole.replaceAll(",", "") + fraction.padEnd(DECIMALS, "0"))
  if (amount > MAX64) throw typeError("types.bad_amount", { text })
  return amount
}
