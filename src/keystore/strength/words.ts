import { brotliDecompressSync } from "node:zlib"
import type { Words } from "./dictionary.js"

/** The words that people choose, from a file of 400 kB that is read at this call and not before. */
export async function loadWords(): Promise<Words> {
  const { RANKS, WORDS } = await import("./wordData.js")
  const unpack = (text: string) => brotliDecompressSync(Buffer.from(text, "base64"))
  const ranks = unpack(RANKS)
  return {
    words: fromFrontCoded(unpack(WORDS).toString("latin1").split("\n")),
    ranks: Uint16Array.from({ length: ranks.length / 2 }, (_, index) => ranks.readUInt16LE(index * 2)),
  }
}

const NOTHING_SHARED = "a".charCodeAt(0)

/** Each line is how many characters a word shares with the one before (as a letter, `a` for none), and the rest. */
function fromFrontCoded(lines: readonly string[]): string[] {
  let word = ""
  return lines.map((line) => {
    word = word.slice(0, line.charCodeAt(0) - NOTHING_SHARED) + line.slice(1)
    return word
  })
}
