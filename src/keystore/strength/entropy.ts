import { utf8Characters } from "../../core/lib/go/goText.js"
import { dateMatches } from "./dates.js"
import { dictionaryMatches, type Words } from "./dictionary.js"
import { type Keyboard, makeKeyboards } from "./keyboards.js"
import { leetReadings } from "./leet.js"
import { cardinalityOf, type Match } from "./match.js"
import { keyboardMatches, repeatMatches, sequenceMatches } from "./patterns.js"

/** Number of bytes of a password that are scored: the time grows with their square. */
const MAX_BYTES = 50

/** Words that a password is compared with. */
export interface Knowledge {
  readonly words: Words
  readonly keyboards: readonly Keyboard[]
}

export function knowledgeOf(words: Words): Knowledge {
  return { words, keyboards: makeKeyboards() }
}

/**
 * Estimates how hard a password is to guess, in bits: the cheapest way to make it from words, patterns and single characters. The rule is
 * that of the first zxcvbn, as nbutton23/zxcvbn-go has it: places of words count characters, all others count bytes.
 */
export function entropyOf(password: string, knowledge: Knowledge): number {
  const bytes = Buffer.from(password, "utf8").subarray(0, MAX_BYTES).toString("latin1")
  return cheapestCover(bytes.length, Math.log2(cardinalityOf(utf8Characters(bytes))), matchesOf(bytes, knowledge))
}

function matchesOf(bytes: string, { words, keyboards }: Knowledge): Match[] {
  const runes = utf8Characters(bytes)
  return [
    ...[runes, ...leetReadings(runes)].flatMap((reading) => dictionaryMatches(reading, words)),
    ...keyboards.flatMap((keyboard) => keyboardMatches(bytes, keyboard)),
    ...repeatMatches(bytes),
    ...sequenceMatches(bytes),
    ...dateMatches(bytes),
  ]
}

/** The least bits for the whole: each byte is the end of a match or one more character to try. */
function cheapestCover(length: number, bitsPerByte: number, matches: readonly Match[]): number {
  const byEnd: Match[][] = Array.from({ length: length + 1 }, () => [])
  for (const match of matches) byEnd[match.end]?.push(match)
  const cheapest: number[] = []
  for (let at = 0; at < length; at++) {
    let least = (cheapest[at - 1] ?? 0) + bitsPerByte
    for (const { start, bits } of byEnd[at] ?? []) least = Math.min(least, (cheapest[start - 1] ?? 0) + bits)
    cheapest.push(least)
  }
  return cheapest[length - 1] ?? 0
}
