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
