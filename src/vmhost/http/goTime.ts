/** Seconds from the year 1 to 1970. */
const YEAR_1_SECONDS = 62_135_596_800n

/** Returns a time in Go's binary form as Unix milliseconds; `undefined` for Go's zero time, which means no deadline, and for other bytes. */
export function goTimeMilliseconds(bytes: Uint8Array): number | undefined {
  if (bytes.length < 15) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const [seconds, nanoseconds] = [view.getBigInt64(1), view.getInt32(9)]
  if (seconds === 0n && nanoseconds === 0) return undefined
  return Number(seconds - YEAR_1_SECONDS) * 1000 + nanoseconds / 1_000_000
}
