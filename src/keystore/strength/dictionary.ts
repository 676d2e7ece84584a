import { capitalBitsOf, lowerOf, type Match } from "./match.js"

/** Words in the order of their characters, and how common each is in the list it comes from: 1 is the most common. */
export interface Words {
  readonly words: readonly string[]
  readonly ranks: Uint16Array
}

/** Finds every word in a password, in any case. Positions count characters. */
export function dictionaryMatches(password: readonly string[], { words, ranks }: Words): Match[] {
  const lower = password.map(lowerOf)
  const matches: Match[] = []
  for (let start = 0; start < lower.length; start++) {
    let range: Range = { from: 0, to: words.length }
    for (let end = start; end < lower.length; end++) {
      range = narrowed(words, range, end - start, lower[end] as string)
      if (range.from >= range.to) break
      // Shorter words sort first: if the word itself is listed, it is the first of the words that begin with it.
      if (words[range.from]?.length !== end - start + 1) continue
      const bits = Math.log2(ranks[range.from] as number) + capitalBitsOf(password.slice(start, end + 1))
      matches.push({ start, end, bits })
    }
  }
  return matches
}

interface Range {
  readonly from: number
  readonly to: number
}

/** Narrows a range of words that agree up to a position to those that have this character there. */
function narrowed(words: readonly string[], { from, to }: Range, position: number, rune: string): Range {
  if (rune.length !== 1) return { from: to, to }
  const code = rune.charCodeAt(0)
  return { from: firstAtLeast(words, from, to, position, code), to: firstAtLeast(words, from, to, position, code + 1) }
}

function firstAtLeast(words: readonly string[], from: number, to: number, position: number, code: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >> 1
    const word = words[middle] as string
    if (position < word.length && word.charCodeAt(position) >= code) high = middle
    else low = middle + 1
  }
  return low
}
