/** Returns a time or a duration in milliseconds as whole seconds. A part of a second is omitted. */
export function wholeSeconds(milliseconds: number): bigint {
  return BigInt(Math.floor(milliseconds / 1000))
}
