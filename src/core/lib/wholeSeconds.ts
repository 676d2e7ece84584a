/** Returns a time or a duration in milliseconds as whole seconds. A part of a second is omitted. */
export function wholeSeconds(milliseconds: number): bigint {
  return BigInt(Math.floor(milliseconds / 1000))
}

/** The last second of the year 9999, Unix. Later times cannot be printed with four digits of the year, so a private chain ends there. */
export const END_OF_TIME = 253_402_300_799n
