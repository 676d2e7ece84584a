/** Seconds from the year 1 to 1970. Go counts times from there. */
const TO_YEAR_1 = 62_135_596_800n

/**
 * Converts Unix seconds to the value of a Go `time.Time`: counted from the year 1 in 64 bits, signed. Absurd values wrap around to the
 * distant past, and are then refused.
 */
export function goTime(seconds: bigint): bigint {
  return BigInt.asIntN(64, seconds + TO_YEAR_1) - TO_YEAR_1
}

const DAY = 86_400n
/** Number of days in 400 years, after which the calendar repeats itself. */
const ERA = 146_097n

/** The first of March of the year −292,277,022,400, where Go's calendar begins. Go prints earlier times as the time 2^64 seconds later. */
const FIRST = -9_223_372_028_741_760_000n

/** Prints Unix seconds of any year as Go prints a time in UTC: `2020-12-05 05:00:00 +0000 UTC`. */
export function goTimeText(seconds: bigint): string {
  const time = BigInt.asUintN(64, seconds - FIRST) + FIRST
  const second = mod(time, DAY)
  const days = (time - second) / DAY
  const within = mod(days, ERA)
  const eras = (days - within) / ERA
  // This is a date within the 400 years from 2000 on, which JavaScript's calendar can express.
  const date = new Date(Date.UTC(2000, 0, 1) + Number(mod(within - 10_957n, ERA)) * 86_400_000)
  const turned = within < 10_957n ? -400n : 0n
  const year = BigInt(date.getUTCFullYear()) + eras * 400n + turned
  const clock = [second / 3_600n, (second / 60n) % 60n, second % 60n].map(two).join(":")
  const sign = year < 0n ? "-" : ""
  const digits = String(year < 0n ? -year : year).padStart(4, "0")
  return `${sign}${digits}-${two(BigInt(date.getUTCMonth() + 1))}-${two(BigInt(date.getUTCDate()))} ${clock} +0000 UTC`
}

const two = (value: bigint): string => String(value).padStart(2, "0")

function mod(value: bigint, by: bigint): bigint {
  const rest = value % by
  return rest < 0n ? rest + by : rest
}
