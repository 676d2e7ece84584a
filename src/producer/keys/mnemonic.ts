import { createHmac, pbkdf2Sync } from "node:crypto"
import { concatBytes, hexToBytes, toHex, utf8 } from "../../core/lib/bytes.js"
import { secp256k1 } from "../../platform/backends.js"
import { producerError } from "../errors.js"

/** The phrase that development chains of many projects use. */
export const DEFAULT_MNEMONIC = "test test test test test test test test test test test junk"

const ORDER = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_baae_dce6_af48_a03b_bfd2_5e8c_d036_4141n
const HARDENED = 0x8000_0000

/** Splits a phrase into words at any white space. */
export function wordsOf(mnemonic: string): string[] {
  return mnemonic
    .normalize("NFKD")
    .split(/\s+/)
    .filter((word) => word !== "")
}

/** Derives the seed of a phrase (BIP-39), 64 bytes. `checkPhrase` checks the phrase itself. */
export function seedOf(mnemonic: string, passphrase = ""): Uint8Array {
  const salt = `mnemonic${passphrase.normalize("NFKD")}`
  return new Uint8Array(pbkdf2Sync(wordsOf(mnemonic).join(" "), salt, 2048, 64, "sha512"))
}

/** A private key with its chain code (BIP-32). */
export interface ExtendedKey {
  readonly secret: Uint8Array
  readonly chainCode: Uint8Array
}

export function masterKeyOf(seed: Uint8Array): ExtendedKey {
  return halves(hmac(utf8("Bitcoin seed"), seed))
}

/** Derives the key at a path below this one, such as `m/44'/9000'/0'/0/0`. */
export function keyAt(master: ExtendedKey, path: string): ExtendedKey {
  const steps = path.split("/").slice(1)
  return steps.reduce(
    (key, step) => childOf(key, step.endsWith("'") ? HARDENED + Number.parseInt(step, 10) : Number(step)),
    master,
  )
}

/** Derives the first children of a key by their numbers. None of them is hardened. */
export function childrenOf(parent: ExtendedKey, count: number): readonly ExtendedKey[] {
  const publicKey = secp256k1().publicKey(parent.secret)
  return Array.from({ length: count }, (_, index) => childOf(parent, index, publicKey))
}

/** `publicKey` is that of the parent, if it is known already. A hardened child does not need it. */
function childOf({ secret, chainCode }: ExtendedKey, index: number, publicKey?: Uint8Array): ExtendedKey {
  const isHardened = index >= HARDENED
  const parent = isHardened ? concatBytes(Uint8Array.of(0), secret) : (publicKey ?? secp256k1().publicKey(secret))
  const number = Uint8Array.of(index >>> 24, index >>> 16, index >>> 8, index)
  const { secret: left, chainCode: right } = halves(hmac(chainCode, concatBytes(parent, number)))
  const sum = (BigInt(`0x${toHex(left)}`) + BigInt(`0x${toHex(secret)}`)) % ORDER
  return { secret: hexToBytes(sum.toString(16).padStart(64, "0")), chainCode: right }
}

function hmac(key: Uint8Array, data: Uint8Array): Uint8Array {
  return new Uint8Array(createHmac("sha512", key).update(data).digest())
}

const halves = (bytes: Uint8Array): ExtendedKey => ({ secret: bytes.slice(0, 32), chainCode: bytes.slice(32) })

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
