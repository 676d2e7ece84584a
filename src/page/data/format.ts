/** The number of nAVAX in one AVAX. */
const AVAX = 1_000_000_000n

/** Digits in groups of three: `1,234,567`. */
export function grouped(value: bigint | number | string): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",")
}

/**
 * Prints an amount of nAVAX in AVAX. Unless it is exact or below 0.0001 AVAX it has at most four decimals, and a sign if there are more. Nothing
 * is rounded up.
 */
export function avaxText(nanos: bigint, isExact = false): string {
  const whole = nanos / AVAX
  const all = (nanos % AVAX).toString().padStart(9, "0").replace(/0+$/, "")
  const shown = isExact || nanos < AVAX / 10_000n ? all : all.slice(0, 4)
  return grouped(whole) + (shown === "" ? "" : `.${shown}`) + (shown === all ? "" : "…")
}

/** Reads an amount in AVAX, such as `12.5`, as nAVAX; `undefined` if the text is not an amount. */
export function nanosOf(avax: string): bigint | undefined {
  const match = /^\s*([\d,_ ]*)(?:\.(\d{0,9}))?\s*$/.exec(avax)
  const whole = (match?.[1] ?? "").replace(/[,_ ]/g, "")
  if (!match || (whole === "" && (match[2] ?? "") === "")) return undefined
  return BigInt(whole || 0) * AVAX + BigInt((match[2] ?? "").padEnd(9, "0"))
}

/** The first and last characters of a long text. */
export function shortened(text: string, head = 8, tail = 6): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

const UNITS = [
  ["year", 31_536_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const

/** A span of seconds in its largest units, by default two: `13 days 4 hours`. */
export function durationText(seconds: number, units = 2): string {
  let left = Math.max(0, Math.round(seconds))
  const parts: string[] = []
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? "" : "s"}`)
    if (parts.length === units) break
  }
  return parts.length === 0 ? "0 seconds" : parts.join(" ")
}

/** A time as seconds since 1970, from seconds or RFC 3339. */
export function secondsOf(time: string | number | bigint): number {
  return typeof time === "string" && !/^\d+$/.test(time) ? Date.parse(time) / 1000 : Number(time)
}

/** UTC to the second: `2026-11-15 18:34:43 UTC`. */
export function utcText(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? String(seconds) : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`
}

/** The time of this machine's zone. */
export function localText(seconds: number): string {
  return new Date(seconds * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" })
}

/** Control characters, and marks that change the direction of text or are invisible. They could make a text look like another one. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Prints text from the chain, with invisible characters as `\u{202e}`. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`)
}
