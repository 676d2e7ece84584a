import { describe, expect, test } from "vitest"
import { concatBytes, hexToBytes, toHex, utf8 } from "../lib/bytes.js"
import { sha256 } from "./hash.js"
import { addressOf, type Secp256k1 } from "./secp256k1.js"
import { verdictOf } from "./verdict.contract.js"

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const FIELD = 2n ** 256n - 2n ** 32n - 977n
const SECRET = hexToBytes("8c2bae69b0e1f6f3a5e784504ee93279226f997c5a6771b9bd6b881a8fee1e9d")
const HELLO = sha256(utf8("hello world"))
const HELLO_SIGNATURE =
  "178cb6096b3ca5820a4c6ecedf15b68b6f50e252c2b64f3774888602cc9fa08c" +
  "5d019d82fdde95fdf234aa2d12ad79b5abb345fe953a9f72f70914fd3139063b00"
const HASH = new Uint8Array(32).fill(0x11)

const word = (n: bigint): Uint8Array => hexToBytes(n.toString(16).padStart(64, "0"))
const signatureOf = (r: bigint, s: bigint, v: number): Uint8Array => concatBytes(word(r), word(s), Uint8Array.of(v))
/** Returns the `i`th of a fixed series of 32 pseudorandom bytes. */
const seeded = (what: string, i: number): Uint8Array => sha256(utf8(`${what} ${i}`))

const HIGH_S = "crypto.signature_high_s: signature was mutated from its original format"
const COMPRESSED = "crypto.signature_recovery_byte: wasn't expecting a compressed key"
const BAD_BYTE = "crypto.signature_recovery_byte: invalid signature"
const INVALID = "crypto.signature_invalid: invalid signature"

// Answers of AvalancheGo v1.14.2 to each of these signatures over a hash of 32 bytes 0x11.
const refusals: readonly (readonly [what: string, r: bigint, s: bigint, v: number, verdict: string])[] = [
  ["zeros", 0n, 0n, 0, INVALID],
  ["a zero r", 0n, 5n, 0, INVALID],
  ["a zero s", 1n, 0n, 0, INVALID],
  ["the largest low s", 1n, ORDER / 2n, 0, "accepted"],
  ["the smallest high s", 1n, ORDER / 2n + 1n, 0, HIGH_S],
  ["the largest high s", 1n, ORDER - 1n, 0, HIGH_S],
  ["an s that is the order, which is no high s", 1n, ORDER, 0, INVALID],
  ["an s above the order", 1n, ORDER + 5n, 0, INVALID],
  ["an s of ones", 1n, 2n ** 256n - 1n, 0, INVALID],
  ["an r that is the order", ORDER, 5n, 0, INVALID],
  ["an r that is no x", 5n, 5n, 0, INVALID],
  ["a high s before a bad recovery byte", 1n, ORDER - 1n, 27, HIGH_S],
  ["a high s before a bad r", 0n, ORDER - 1n, 0, HIGH_S],
  ["recovery byte 4", 1n, 5n, 4, COMPRESSED],
  ["recovery byte 7", 2n, 5n, 7, COMPRESSED],
  ["recovery byte 4 with an r that is no x", 5n, 5n, 4, INVALID],
  ["recovery byte 6 with an r too large for it", FIELD - ORDER, 5n, 6, INVALID],
  ["recovery byte 8", 1n, 5n, 8, BAD_BYTE],
  ["recovery byte 27", 1n, 5n, 27, BAD_BYTE],
  ["recovery byte 229, which the reference's sum wraps to 0", 1n, 5n, 229, BAD_BYTE],
  ["recovery byte 255", 1n, 5n, 255, BAD_BYTE],
  ["recovery byte 2 with an r too large for it", FIELD - ORDER, 5n, 2, INVALID],
  ["recovery byte 2 with r + n no x", 1n, 5n, 2, INVALID],
  ["recovery byte 2 with r + n an x", 2n, 5n, 2, "accepted"],
]

/** Tests of a secp256k1 back end, which every implementation passes. */
export function secp256k1Contract(name: string, open: () => Secp256k1, oracle: () => Secp256k1): void {
  describe(`secp256k1 with ${name}`, () => {
    test("signs as AvalancheGo does, and finds the signer again", () => {
      const { publicKey, sign, recover } = open()
      const key = "0373935347884478e4945cd0fd948ecf088b94dfc92074f0fb03da6f4dbc94357d"
      expect(toHex(publicKey(SECRET))).toBe(key)
      expect(toHex(sign(HELLO, SECRET))).toBe(HELLO_SIGNATURE)
      expect(toHex(recover(HELLO, hexToBytes(HELLO_SIGNATURE)))).toBe(key)
      expect(addressOf(hexToBytes(key))).toBe("fceda8f90fcb5d30614b99d79fc4baa293077626")
    })

    test.each(refusals)("judges %s as AvalancheGo does", (_what, r, s, v, verdict) => {
      expect(verdictOf(() => open().recover(HASH, signatureOf(r, s, v)))).toBe(verdict)
    })

    test("recovers a key whose point lies beyond the group order, even where r itself is no x", () => {
      expect(toHex(open().recover(HASH, signatureOf(7n, 5n, 2)))).toBe(
        "030df981e942debbf4c29cb19d7fea59b05d412e5a1cd75b184d2f2b58e90f6a85",
      )
    })

    test("refuses a signature whose key would be the neutral point", () => {
      const r = 0xc6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5n
      const s = 0x77777777777777777777777777777776d4cee5eacf1bc7955760a6bddf929818n
      expect(verdictOf(() => open().recover(HASH, signatureOf(r, s, 1)))).toBe(INVALID)
    })

    test("refuses a signature of another length", () => {
      const short = new Uint8Array(64)
      expect(verdictOf(() => open().recover(HASH, short))).toBe("crypto.signature_length: invalid signature length")
    })

    test("refuses invalid secrets", () => {
      const { publicKey, sign } = open()
      const sentence = "a secp256k1 secret must have 32 bytes and be between zero and the group order"
      for (const secret of [
        word(0n),
        word(ORDER),
        word(2n ** 256n - 1n),
        new Uint8Array(31).fill(1),
        new Uint8Array(33).fill(1),
      ]) {
        expect(verdictOf(() => publicKey(secret))).toBe(`crypto.secp256k1_bad_secret: ${sentence}`)
        expect(verdictOf(() => sign(HASH, secret))).toBe(`crypto.secp256k1_bad_secret: ${sentence}`)
      }
      expect(publicKey(word(ORDER - 1n))).toHaveLength(33)
    })

    test("takes a hash of another length for our own fault", () => {
      expect(() => open().sign(new Uint8Array(31), SECRET)).toThrow("32 bytes")
      expect(() => open().recover(new Uint8Array(33), hexToBytes(HELLO_SIGNATURE))).toThrow("32 bytes")
    })

    test("agrees with the oracle on 64 keys, signatures and damaged signatures", () => {
      const [ours, reference] = [open(), oracle()]
      for (let i = 0; i < 64; i++) {
        const [secret, hash] = [seeded("secret", i), seeded("hash", i)]
        const signature = reference.sign(hash, secret)
        expect(ours.publicKey(secret)).toEqual(reference.publicKey(secret))
        expect(ours.sign(hash, secret)).toEqual(signature)
        expect(ours.recover(hash, signature)).toEqual(reference.publicKey(secret))
        const damaged = signature.with(i % 64, signature[i % 64]! ^ 0x10)
        expect(keyOrVerdict(ours, hash, damaged)).toBe(keyOrVerdict(reference, hash, damaged))
      }
    })

    test("leaves its arguments unchanged, and returns new bytes", () => {
      const [hash, secret, signature] = [HELLO.slice(), SECRET.slice(), hexToBytes(HELLO_SIGNATURE)]
      const { publicKey, sign, recover } = open()
      const results = [publicKey(secret), sign(hash, secret), recover(hash, signature)]
      expect([toHex(hash), toHex(secret), toHex(signature)]).toEqual([toHex(HELLO), toHex(SECRET), HELLO_SIGNATURE])
      for (const bytes of results) expect(bytes.constructor).toBe(Uint8Array)
      const before = toHex(results[2]!)
      recover(HASH, signatureOf(1n, 5n, 0))
      expect(toHex(results[2]!)).toBe(before)
    })
  })
}

function keyOrVerdict(backend: Secp256k1, hash: Uint8Array, signature: Uint8Array): string {
  let key = ""
  const verdict = verdictOf(() => {
    key = toHex(backend.recover(hash, signature))
  })
  return key || verdict
}
