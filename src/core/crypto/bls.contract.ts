import { describe, expect, test } from "vitest"
import { hexToBytes, toHex, utf8 } from "../lib/bytes.js"
import type { Bls } from "./bls.js"
import { sha256 } from "./hash.js"
import { verdictOf } from "./verdict.contract.js"

const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
const WARP = utf8("warp")
/** Plain JavaScript takes a fifth of a second for each secret. */
const SECRETS = process.env.SERAC_SOAK ? 8 : 2

/** The first two validators of AvalancheGo's local network, with the values that AvalancheGo v1.14.2 computes from their secrets. */
const one = {
  secret: hexToBytes("4176616c616e6368654c6f63616c4e6574776f726b56616c696461746f723031"),
  key: "900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d",
  uncompressed:
    "100c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d" +
    "0a4e3d30c04795ab062cd8e7f6acde3167f3fe4701dcaa59445f07546d7c973b1ed8f7124cd9d45642ab365b54ec3c76",
  warp:
    "99c14a3cc84f6a395ee1e1fe0186179ffd36dbb749e57e68c0926b251a6af054dd7f51f8067412137e1a729e440740fa" +
    "176351bad19045979c835c79ad0172e25133b7031d2c8044194b5b3b62ef8e13dd01dd67d1a2e6c9eec096f97f4bc463",
  possession:
    "8bfd6d4d2086b2b8115d8f72f94095fefe5a6c07876b2accf51a811adf520f389e74a3d2152a6d90b521e2be58ffe468" +
    "043dc5ea68b4c44410eb67f8dc24f13ed4f194000764c0e922cd254a3588a4962b1cb4db7de4bb9cda9d9d4d6b03f3d2",
}
const two = {
  secret: hexToBytes("4176616c616e6368654c6f63616c4e6574776f726b56616c696461746f723032"),
  key: "a058ff27a4c570664bfa28e34939368539a1340867951943d0f56fa8aac13bc09ff64f341acf8cc0cef74202c2d6f9c0",
  uncompressed:
    "0058ff27a4c570664bfa28e34939368539a1340867951943d0f56fa8aac13bc09ff64f341acf8cc0cef74202c2d6f9c0" +
    "11594850af05a49520b156594a47d9e89cb5da59369030ecc9dd69db114453126cb8116280192fb656eb909ca8a55e0e",
  warp:
    "8eb2cb47ce512aa5af0356e6ffab37b477ffe79a091d2716803547cc63164bff3f564866d24d54c292a4fa6562a8511a" +
    "0327a8af2003ccb05f582a58b61c99ecec2ff9330299b5631ae1041aac4ee7105db1c3ac9125f6b73acd48ee5b89a3fb",
  possession:
    "ac52195616344127df74d924e11701ca5e0867647ae36171d168fcf95d536e94061659b3edb924fffdb69dd5aa5cb2d7" +
    "03f8920c825c8f7b74dd0112c9c27814790bfcfa3a08e1d9358da1c54e1f6c0b4d9772432f79d7dceaa3a95c3a7e6adc",
}
const BOTH_WARP =
  "a9223d5e893a5f5dac12fa9a064debb767c29ef325c3594ed81559a7645c587cc625445ae20b7b47f6cb372ee8b44eae" +
  "01c8e5e2854f0fd18bc73c01ff7c34edc183e60730f5172c40ea254d295b1533e45df6f8af3bc3704e7b10e66e6ec0a3"

const zeros = (length: number): string => "00".repeat(length)
const FIELD = "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab"
const NEUTRAL_KEY = `c0${zeros(47)}`
const NEUTRAL_SIGNATURE = `c0${zeros(95)}`
const OUTSIDE_KEY = `80${zeros(46)}04`
const OUTSIDE_SIGNATURE = `80${zeros(94)}02`

const NO_KEY = "crypto.bls_bad_public_key: couldn't decompress public key"
const BAD_KEY = "crypto.bls_bad_public_key: invalid public key"
const NO_SIGNATURE = "crypto.bls_bad_signature: couldn't decompress signature"
const BAD_SIGNATURE = "crypto.bls_bad_signature: invalid signature"
const BAD_PROOF = "crypto.bls_bad_possession: invalid proof of possession"

// Answers of AvalancheGo v1.14.2 to each of these keys.
const keys: readonly (readonly [what: string, key: string, verdict: string])[] = [
  ["a key", one.key, "accepted"],
  ["zeros", zeros(48), NO_KEY],
  ["the neutral point", NEUTRAL_KEY, BAD_KEY],
  ["the neutral point with the mark of the larger y", `e0${zeros(47)}`, NO_KEY],
  ["the neutral point with something behind it", `c0${zeros(46)}01`, NO_KEY],
  ["a point outside the subgroup", OUTSIDE_KEY, BAD_KEY],
  ["a point with x = 0", `80${zeros(47)}`, NO_KEY],
  ["the other point with x = 0", `a0${zeros(47)}`, NO_KEY],
  ["an x that is none", `80${zeros(46)}01`, NO_KEY],
  ["an x that is the field's prime", `9a${FIELD.slice(2)}`, NO_KEY],
  ["a key without the mark of compression", `10${one.key.slice(2)}`, NO_KEY],
  ["an uncompressed key", one.uncompressed, NO_KEY],
  ["a key cut short", one.key.slice(2), NO_KEY],
  ["nothing", "", NO_KEY],
]

const signatures: readonly (readonly [what: string, signature: string, verdict: string])[] = [
  ["a signature", one.warp, "accepted"],
  ["the neutral point", NEUTRAL_SIGNATURE, "accepted"],
  ["zeros", zeros(96), NO_SIGNATURE],
  ["the neutral point with the mark of the larger y", `e0${zeros(95)}`, NO_SIGNATURE],
  ["the neutral point with something behind it", `c0${zeros(94)}01`, NO_SIGNATURE],
  ["a point outside the subgroup", OUTSIDE_SIGNATURE, BAD_SIGNATURE],
  ["an x that is none", `80${zeros(95)}`, NO_SIGNATURE],
  ["an x that is not below the field's prime", `80${zeros(47)}${FIELD}`, NO_SIGNATURE],
  ["a signature without the mark of compression", `19${one.warp.slice(2)}`, NO_SIGNATURE],
  ["a signature cut short", one.warp.slice(2), NO_SIGNATURE],
]

const proofs: readonly (readonly [what: string, key: string, proof: string, verdict: string])[] = [
  ["a key's own proof", one.key, one.possession, "accepted"],
  ["another key's proof", one.key, two.possession, BAD_PROOF],
  ["a proof with the larger y for the smaller", one.key, `ab${one.possession.slice(2)}`, BAD_PROOF],
  ["a warp signature", one.key, one.warp, BAD_PROOF],
  ["the neutral point as a proof", one.key, NEUTRAL_SIGNATURE, BAD_PROOF],
  ["zeros as a proof", one.key, zeros(96), NO_SIGNATURE],
  ["a proof outside the subgroup", one.key, OUTSIDE_SIGNATURE, BAD_SIGNATURE],
  ["zeros as a key", zeros(48), one.possession, NO_KEY],
  ["the neutral point as a key", NEUTRAL_KEY, one.possession, BAD_KEY],
  ["the neutral point as both", NEUTRAL_KEY, NEUTRAL_SIGNATURE, BAD_KEY],
  ["a bad key before a bad proof", OUTSIDE_KEY, zeros(96), BAD_KEY],
]

const word = (n: bigint): Uint8Array => hexToBytes(n.toString(16).padStart(64, "0"))
/** Returns the `i`th of a fixed series of pseudorandom secrets. */
const seeded = (i: number): Uint8Array => word(BigInt(`0x${toHex(sha256(utf8(`secret ${i}`)))}`) % ORDER)

/** Returns the answers of an implementation for some secrets. */
export function answersOf(bls: Bls) {
  return Array.from({ length: SECRETS }, (_, i) => {
    const [secret, message] = [seeded(i), utf8("m".repeat(i * 13))]
    const key = bls.publicKey(secret)
    const signed = { signature: bls.sign(secret, message), possession: bls.signPossession(secret) }
    const tagged = bls.signUnderPossessionTag(secret, message)
    return { message, key, uncompressed: bls.decompressKey(key), ...signed, tagged }
  })
}

/** Tests of a BLS back end, which every implementation passes. `other` are the answers of another one. */
export function blsContract(name: string, open: () => Promise<Bls>, other: () => ReturnType<typeof answersOf>): void {
  describe(`BLS with ${name}`, () => {
    test.each([one, two])("makes of a secret the keys and signatures that AvalancheGo makes", async (validator) => {
      const bls = await open()
      const { secret, key } = validator
      expect(toHex(bls.publicKey(secret))).toBe(key)
      expect(toHex(bls.decompressKey(hexToBytes(key)))).toBe(validator.uncompressed)
      expect(toHex(bls.compressKey(hexToBytes(validator.uncompressed)))).toBe(key)
      expect(toHex(bls.sign(secret, WARP))).toBe(validator.warp)
      expect(toHex(bls.signPossession(secret))).toBe(validator.possession)
      expect(toHex(bls.signUnderPossessionTag(secret, hexToBytes(key)))).toBe(validator.possession)
    })

    test("signs and verifies any message under the tag of proofs of possession", async () => {
      const bls = await open()
      const signature = bls.signUnderPossessionTag(one.secret, WARP)
      expect(toHex(signature)).not.toBe(one.warp)
      const holds = (key: string, message: Uint8Array, bytes: Uint8Array) =>
        bls.verifyUnderPossessionTag(hexToBytes(key), message, bytes)
      expect(holds(one.key, WARP, signature)).toBe(true)
      expect(holds(two.key, WARP, signature)).toBe(false)
      expect(holds(one.key, utf8("warp "), signature)).toBe(false)
      expect(holds(one.key, WARP, hexToBytes(one.warp))).toBe(false)
      expect(holds(one.key, WARP, signature.subarray(1))).toBe(false)
    })

    test("verifies a signature with its key and message, and with nothing else", async () => {
      const { verify } = await open()
      const holds = (key: string, message: Uint8Array, signature: string) =>
        verify(hexToBytes(key), message, hexToBytes(signature))
      expect(holds(one.key, WARP, one.warp)).toBe(true)
      expect(holds(two.key, WARP, one.warp)).toBe(false)
      expect(holds(one.key, utf8("warp "), one.warp)).toBe(false)
      expect(holds(one.key, hexToBytes(one.key), one.possession)).toBe(false)
      for (const [, key, verdict] of keys) expect(holds(key, WARP, one.warp)).toBe(verdict === "accepted")
      for (const [what, signature] of signatures) expect(holds(one.key, WARP, signature)).toBe(what === "a signature")
      expect(holds(NEUTRAL_KEY, WARP, NEUTRAL_SIGNATURE)).toBe(false)
    })

    test.each(keys)("judges %s as a key as AvalancheGo does", async (_what, key, verdict) => {
      const { decompressKey } = await open()
      expect(verdictOf(() => decompressKey(hexToBytes(key)))).toBe(verdict)
    })

    test.each(signatures)("judges %s as a signature as AvalancheGo does", async (_what, signature, verdict) => {
      const { checkSignature, aggregateSignatures } = await open()
      expect(verdictOf(() => checkSignature(hexToBytes(signature)))).toBe(verdict)
      expect(verdictOf(() => aggregateSignatures([hexToBytes(one.warp), hexToBytes(signature)]))).toBe(verdict)
    })

    test.each(proofs)("judges %s as AvalancheGo does", async (_what, key, proof, verdict) => {
      const { verifyPossession } = await open()
      expect(verdictOf(() => verifyPossession(hexToBytes(key), hexToBytes(proof)))).toBe(verdict)
    })

    test("judges several proofs together: all must hold, and invalid ones do not cancel each other out", async () => {
      const { arePossessions, aggregateSignatures } = await open()
      const judge = (...given: readonly (readonly [key: string, proof: string])[]) =>
        arePossessions(given.map(([key, proof]) => ({ publicKey: hexToBytes(key), proofOfPossession: hexToBytes(proof) })))
      const [first, second] = [[one.key, one.possession] as const, [two.key, two.possession] as const]
      expect([judge(first, second), judge(second, first, second), judge(first)]).toEqual([true, true, true])
      expect([judge(first, [two.key, one.possession]), judge([one.key, NEUTRAL_SIGNATURE], second)]).toEqual([false, false])
      expect([judge(first, [zeros(48), two.possession]), judge([one.key, zeros(96)])]).toEqual([false, false])
      // The sum of both proofs is right.
      const shifted = (proof: string, by: string) => toHex(aggregateSignatures([hexToBytes(proof), hexToBytes(by)]))
      const negated = `b9${one.warp.slice(2)}`
      expect(judge([one.key, shifted(one.possession, one.warp)], [two.key, shifted(two.possession, negated)])).toBe(false)
    })

    test("aggregates signatures, and verifies them with all their keys", async () => {
      const { aggregateSignatures, verifyAggregate } = await open()
      const both = aggregateSignatures([hexToBytes(one.warp), hexToBytes(two.warp)])
      expect(toHex(both)).toBe(BOTH_WARP)
      expect(toHex(aggregateSignatures([both, hexToBytes(NEUTRAL_SIGNATURE)]))).toBe(BOTH_WARP)
      const [first, second] = [hexToBytes(one.uncompressed), hexToBytes(two.uncompressed)]
      expect(verifyAggregate([first, second], WARP, both)).toBe(true)
      expect(verifyAggregate([second, first], WARP, both)).toBe(true)
      expect(verifyAggregate([first], WARP, hexToBytes(one.warp))).toBe(true)
      expect(verifyAggregate([first], WARP, both)).toBe(false)
      expect(verifyAggregate([first, first], WARP, both)).toBe(false)
      expect(verifyAggregate([first, second], utf8("other"), both)).toBe(false)
    })

    test("treats keys that cancel each other out as no signer", async () => {
      const { publicKey, decompressKey, verifyAggregate } = await open()
      const secret = BigInt(`0x${toHex(one.secret)}`)
      const opposite = decompressKey(publicKey(word(ORDER - secret)))
      const [first, neutral] = [hexToBytes(one.uncompressed), hexToBytes(NEUTRAL_SIGNATURE)]
      expect(verifyAggregate([first, opposite], WARP, neutral)).toBe(false)
      expect(verifyAggregate([first], WARP, neutral)).toBe(false)
    })

    test("refuses to aggregate nothing, and invalid keys", async () => {
      const { aggregateSignatures, verifyAggregate } = await open()
      const signature = hexToBytes(one.warp)
      const withKey = (key: string) => verdictOf(() => verifyAggregate([hexToBytes(key)], WARP, signature))
      expect(verdictOf(() => aggregateSignatures([]))).toBe("crypto.bls_no_signatures: no signatures")
      expect(verdictOf(() => verifyAggregate([], WARP, signature))).toBe("crypto.bls_no_public_keys: no public keys")
      expect(verdictOf(() => verifyAggregate([], WARP, hexToBytes(zeros(96))))).toBe(NO_SIGNATURE)
      expect(withKey(one.key)).toBe(NO_KEY)
      expect(withKey(zeros(96))).toBe(NO_KEY)
      expect(withKey(`40${zeros(95)}`)).toBe(BAD_KEY)
      // On the curve, with y = 2, and outside the subgroup.
      expect(withKey(`${zeros(95)}02`)).toBe(BAD_KEY)
    })

    test("refuses invalid secrets", async () => {
      const { publicKey, sign, signPossession } = await open()
      for (const secret of [word(0n), word(ORDER), word(2n ** 256n - 1n), new Uint8Array(31).fill(1), new Uint8Array(33)]) {
        for (const attempt of [() => publicKey(secret), () => sign(secret, WARP), () => signPossession(secret)]) {
          expect(verdictOf(attempt)).toBe("crypto.bls_bad_secret: couldn't deserialize secret key")
        }
      }
      expect(publicKey(word(ORDER - 1n))).toHaveLength(48)
    })

    test(`agrees with another implementation on ${SECRETS} secrets, and verifies what it signs`, async () => {
      const bls = await open()
      expect(answersOf(bls)).toEqual(other())
      for (const { key, message, uncompressed, signature, possession } of other()) {
        expect(bls.compressKey(uncompressed)).toEqual(key)
        expect(bls.verify(key, message, signature)).toBe(true)
        expect(verdictOf(() => bls.verifyPossession(key, possession))).toBe("accepted")
      }
    })
  })
}
