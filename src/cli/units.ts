import { MAX64 } from "../core/lib/math64.js"
import { parseAvax } from "../core/types/parseAvax.js"
import { cliError } from "./errors.js"

/** Seconds of each unit of a duration. */
const SECONDS: Readonly<Record<string, bigint>> = { w: 604_800n, d: 86_400n, h: 3_600n, m: 60n, s: 1n }

/** Reads a duration as people write it, such as `14d`, `1d12h` or `90s`, in seconds. Throws `cli.bad_duration`. */
export function parseSeconds(text: string): bigint {
  if (!/^(\d{1,12}[wdhms])+$/.test(text)) throw cliError("cli.bad_duration", { duration: text })
  const parts = [...text.matchAll(/(\d+)([wdhms])/g)]
  return parts.reduce((sum, [, count = "", unit = ""]) => sum + BigInt(count) * (SECONDS[unit] as bigint), 0n)
}

/** Reads an amount with its unit, such as `5avax`, `1.5 AVAX` or `100navax`, in nAVAX. Throws `cli.bad_amount`. */
export function parseAmount(text: string): bigint {
  const nano = /^(\d{1,20}) ?navax$/i.exec(text)?.[1]
  if (nano !== undefined && BigInt(nano) <= MAX64) return BigInt(nano)
  if (nano !== undefined || !/avax$/i.test(text)) throw cliError("cli.bad_amount", { amount: text })
  return parseAvax(text)
}

/** Reads a share in percent with at most four decimals, such as `2%` or `6.25%`, in millionths. Throws `cli.bad_share`. */
export function parseShare(text: string): number {
  const [, whole, decimals = ""] = /^(\d{1,3})(?:\.(\d{1,4}))? ?%$/.exec(text) ?? []
  const share = whole === undefined ? Number.NaN : Number(whole) * 10_000 + Number(decimals.padEnd(4, "0"))
  if (!(share <= 1_000_000)) throw cliError("cli.bad_share", { share: text })
  return share
}
