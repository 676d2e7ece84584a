import { producerError } from "../errors.js"
import { DEFAULT_MNEMONIC, wordsOf } from "./mnemonic.js"

const COUNTS: readonly number[] = [12, 15, 18, 21, 24]

/**
 * Checks that a phrase is a BIP-39 phrase in English, because a mistyped word would give other keys without an error. Throws
 * `producer.bad_mnemonic`, `producer.unknown_word` and `producer.bad_checksum`.
 */
export async function checkPhrase(mnemonic: string): Promise<void> {
  const words = wordsOf(mnemonic)
  const phrase = words.join(" ")
  if (phrase === DEFAULT_MNEMONIC) return
  if (!COUNTS.includes(words.length)) throw producerError("producer.bad_mnemonic", { words: words.length })
  // The word list is loaded on use, because a chain that starts with the default phrase does not need it.
  const { wordlist } = await import("@scure/bip39/wordlists/english.js")
  const wrong = words.findIndex((word) => !wordlist.includes(word))
  if (wrong >= 0) throw producerError("producer.unknown_word", { word: words[wrong], position: wrong + 1, of: words.length })
  const { validateMnemonic } = await import("@scure/bip39")
  if (!validateMnemonic(phrase, wordlist)) throw producerError("producer.bad_checksum", { words: words.length })
}
