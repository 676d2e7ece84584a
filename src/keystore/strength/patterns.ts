import { utf8Characters } from "../../core/lib/go/goText.js"
import type { Keyboard } from "./keyboards.js"
import { cardinalityOf, choose, lowerOf, type Match } from "./match.js"

/** Runs of three and more keys that lie beside each other. Positions count bytes. */
export function keyboardMatches(bytes: string, keyboard: Keyboard): Match[] {
  const matches: Match[] = []
  for (let start = 0; start < bytes.length - 1; ) {
    let end = start
    let turns = 0
    let shifted = 0
    let lastDirection: number | undefined
    for (; end + 1 < bytes.length; end++) {
      const around = keyboard.neighbours.get(bytes[end] as string) ?? []
      const direction = around.findIndex((key) => key.includes(bytes[end + 1] as string))
      if (direction < 0) break
      if (around[direction]?.indexOf(bytes[end + 1] as string) === 1) shifted++
      if (direction !== lastDirection) turns++
      lastDirection = direction
    }
    if (end - start >= 2) matches.push({ start, end, bits: keyboardBits(keyboard, end - start + 1, turns, shifted) })
    start = end + 1
  }
  return matches
}

/** Guessing takes all patterns up to this length with at most as many turns, and the choice of shifted keys. */
function keyboardBits({ starts, degree }: Keyboard, length: number, turns: number, shifted: number): number {
  let patterns = 0
  for (let size = 2; size <= length + 1; size++) {
    for (let turn = 0; turn <= Math.min(turns, size - 1); turn++)
      patterns += choose(size - 1, turn) * starts * degree ** (turn + 1)
  }
  if (shifted === 0) return Math.log2(patterns)
  let shifts = 0
  for (let i = 0; i <= Math.min(shifted, length - shifted); i++) shifts += choose(length, i)
  return Math.log2(patterns) + Math.log2(shifts)
}

/**
 * Runs of three and more of one character, whatever its case. The reference counts a run in characters and places it in
 * bytes: exact for ASCII, and kept as it is beyond.
 */
export function repeatMatches(bytes: string): Match[] {
  const matches: Match[] = []
  let previous: string | undefined
  let streak = 0
  let last = 0
  const close = (end: number) => {
    const start = end - streak + 1
    const token = bytes.slice(start, end + 1)
    if (streak > 2) matches.push({ start, end, bits: Math.log2(cardinalityOf(utf8Characters(token)) * token.length) })
  }
  let at = 0
  for (const rune of utf8Characters(bytes)) {
    if (previous !== undefined && lowerOf(rune) !== lowerOf(previous)) {
      close(at - 1)
      streak = 0
    }
    streak++
    previous = rune
    last = at
    at += widthAt(bytes, at, rune)
  }
  close(last)
  return matches
}

/** Bytes of the character that begins here; one that is no character takes one. */
function widthAt(bytes: string, at: number, rune: string): number {
  const width = Buffer.byteLength(rune)
  return rune === "\ufffd" && !bytes.startsWith("\xef\xbf\xbd", at) ? 1 : width
}

const sequences = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"]

/** Runs of three and more that go up or down an alphabet. Positions count bytes. */
export function sequenceMatches(bytes: string): Match[] {
  const matches: Match[] = []
  for (let start = 0; start < bytes.length; ) {
    let end = start
    const stepAt = (sequence: string, at: number) =>
      sequence.indexOf(bytes[at + 1] as string) - sequence.indexOf(bytes[at] as string)
    const pair = bytes.slice(start, start + 2)
    const sequence = sequences.find(
      (each) => pair.length === 2 && [...pair].every((one) => each.includes(one)) && Math.abs(stepAt(each, start)) === 1,
    )
    if (sequence !== undefined) {
      const direction = stepAt(sequence, start)
      // A foreign character has place -1, so it prolongs a descending run that reached the first place, as in the reference.
      while (end + 1 < bytes.length && stepAt(sequence, end) === direction) end++
      const length = end - start + 1
      if (length > 2)
        matches.push({ start, end, bits: sequenceBits(bytes[start] as string, sequence, direction) + Math.log2(length) })
    }
    start = end + 1
  }
  return matches
}

function sequenceBits(first: string, sequence: string, direction: number): number {
  const obvious = first === "a" || first === "1"
  const capital = first >= "A" && first <= "Z" ? 1 : 0
  return (obvious ? 0 : Math.log2(sequence.length) + capital) + (direction === 1 ? 0 : 1)
}
