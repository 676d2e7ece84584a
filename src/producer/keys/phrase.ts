import { producerError } from "../errors.js"
import { DEFAULT_MNEMONIC, wordsOf } from "./mnemonic.js"

const COUNTS: readonly number[] = [12, 15, 18, 21, 24]

/**
 * Checks that a phrase is a BIP-39 phrase in English, since a mistyped word would silently give other keys. Throws `producer.bad_mnemonic`,
 * `producer.unknown_word` and `producer.bad_checksum`.
 */
export async function checkPhrase(mnemonic: string): Promise<void> {
  const words = wordsOf(mnemonic)
  const phrase = words.join(" ")
  if (phrase === DEFAULT_MNEMONIC) return
  if (!COUNTS.includes(words.length)) throw producerError("producer.bad_mnemonic", { words: words.length })
  // Loaded where it is needed: a chain that starts with the phrase of everybody does without.
  const { wordlist } = await import("@scure/bip39/wordlists/english.js")
  const wrong = words.findIndex((word) => !wordlist.includes(word))
  if (wrong >= 0) throw producerError("producer.unknown_word", { word: words[wrong], position: wrong + 1, of: words.length })
  const { validateMnemonic } = await import("@scure/bip39")
  if (!validateMnemonic(phrase, wordlist)) throw producerError("producer.bad_checksum", { words: words.length })
}
