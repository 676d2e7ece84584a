import { floorSeconds, SECOND } from "./goDuration.js"
import { printRfc3339 } from "./rfc3339.js"

/** Prints Unix nanoseconds as RFC 3339 in UTC as Go does, without trailing zeroes of the fraction: `2020-12-05T05:00:00.5Z`. */
export function printRfc3339Nano(nanoseconds: bigint): string {
  const seconds = floorSeconds(nanoseconds)
  const fraction = (nanoseconds - seconds * SECOND).toString().padStart(9, "0").replace(/0+$/, "")
  const text = printRfc3339(seconds)
  return fraction === "" ? text : `${text.slice(0, -1)}.${fraction}Z`
}
