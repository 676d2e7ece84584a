/** A part of a password that is easier to guess than its characters one by one. */
export interface Match {
  /** The first and the last position it covers. */
  readonly start: number
  readonly end: number
  /** The cost of guessing it, in bits. */
  readonly bits: number
}

/** Returns the number of ways to choose k of n things. */
export function choose(n: number, k: number): number {
  if (k > n) return 0
  let ways = 1
  for (let i = 1; i <= k; i++) ways = (ways * (n - i + 1)) / i
  return ways
}

const isLower = /^\p{Ll}$/u
const isUpper = /^\p{Lu}$/u
const isDigit = /^\p{Nd}$/u

/** Counts the characters that an attacker must try who knows which kinds a text has: 26 lower, 26 upper, 10 digits, 33 others. */
export function cardinalityOf(runes: readonly string[]): number {
  const kinds = new Set(
    runes.map((rune) => (isLower.test(rune) ? "l" : isUpper.test(rune) ? "u" : isDigit.test(rune) ? "d" : "o")),
  )
  return (kinds.has("l") ? 26 : 0) + (kinds.has("u") ? 26 : 0) + (kinds.has("d") ? 10 : 0) + (kinds.has("o") ? 33 : 0)
}

/**
 * Returns the cost of the choice of capitals in a word, in bits. Lower case is the rule; a first capital or only capitals are the next
 * guess.
 */
export function capitalBitsOf(word: readonly string[]): number {
  const upper = word.filter((rune) => isUpper.test(rune)).length
  if (upper === 0) return 0
  if (/^(?:[A-Z][^A-Z]+|[A-Z]+)$/u.test(word.join(""))) return 1
  const lower = word.filter((rune) => isLower.test(rune)).length
  let ways = 0
  for (let i = 0; i <= Math.min(upper, lower); i++) ways += choose(upper + lower, i)
  return Math.log2(ways)
}

/** The small form of one character; the reference knows no character that becomes two. */
export function lowerOf(rune: string): string {
  const lower = rune.toLowerCase()
  return lower.length === 1 ? lower : String.fromCodePoint(lower.codePointAt(0) as number)
}
