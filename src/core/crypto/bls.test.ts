import { expect, test } from "vitest"
import { once } from "../../../test/fixtures/once.js"
import { readRecording } from "../../../test/recordings/recordings.js"
import { loadBlsNative } from "../../platform/blsNative.js"
import { loadBlsNoble } from "../../platform/blsNoble.js"
import { hexToBytes, toHex, utf8 } from "../lib/bytes.js"
import { answersOf, blsContract } from "./bls.contract.js"
import { type Bls, POSSESSION_TAG } from "./bls.js"
import { verdictOf } from "./verdict.contract.js"

const prepared = async (): Promise<Bls> => {
  const bls = loadBlsNative()
  await bls.preparePossession()
  return bls
}

const backends: Readonly<Record<string, () => Promise<Bls>>> = {
  "the native library": async () => loadBlsNative(),
  "the native library, proofs prepared": prepared,
  "plain JavaScript": async () => loadBlsNoble(),
}

// Plain JavaScript takes long, so its answers are made once for all that are compared with them.
const ofNoble = once(() => answersOf(loadBlsNoble()))
const ofNative = once(() => answersOf(loadBlsNative()))

for (const [name, open] of Object.entries(backends)) {
  // Starting WebAssembly for each test would cost more than the tests.
  let opened: Promise<Bls> | undefined
  blsContract(name, () => (opened ??= open()), name === "plain JavaScript" ? ofNative : ofNoble)
}

test("preparing proofs of possession twice brings one instance, and leaves other signatures alone", async () => {
  const bls = loadBlsNative()
  expect(bls.preparePossession()).toBe(bls.preparePossession())
  await bls.preparePossession()
  const secret = new Uint8Array(32).fill(7)
  const before = toHex(bls.sign(secret, utf8(POSSESSION_TAG)))
  bls.verifyPossession(bls.publicKey(secret), bls.signPossession(secret))
  expect(toHex(bls.sign(secret, utf8(POSSESSION_TAG)))).toBe(before)
})

interface BlsVector {
  readonly kind: string
  readonly name: string
  readonly secret_key: string
  readonly public_key: string
  readonly proof_of_possession: string
  readonly message_utf8: string
  readonly signature: string
  readonly valid?: boolean
}

test("every back end agrees with the published keys, signatures and proofs", async () => {
  const { vectors } = readRecording<{ vectors: BlsVector[] }>("vectors/signatures.json")
  const cases = vectors.filter(({ kind }) => kind.startsWith("bls "))
  expect(cases).toHaveLength(13)
  for (const open of Object.values(backends)) {
    const bls = await open()
    for (const vector of cases) expect([vector.name, ...findings(bls, vector)]).toEqual([vector.name, ...expected(vector)])
  }
})

interface RecordedRefusal {
  readonly name: string
  readonly kind: string
  readonly tx: string
  readonly error: string
}

test("every back end refuses recorded keys, proofs and signatures in AvalancheGo's words", async () => {
  const { refusals } = readRecording<{ refusals: RecordedRefusal[] }>("golden/refusals-v1.14.2.json")
  const named = (names: string[], kinds: string[]) =>
    refusals.filter(({ name, kind }) => names.includes(name) && kinds.includes(kind))
  const proofs = named(
    ["proof of zeros", "proof is the point at infinity", "key of zeros", "key is the point at infinity"],
    ["AddPermissionlessValidatorTx"],
  )
  const warp = named(["Warp signature damaged", "Warp signature of zeros"], ["RegisterL1ValidatorTx", "SetL1ValidatorWeightTx"])
  expect([proofs.length, warp.length]).toEqual([4, 4])
  for (const open of Object.values(backends)) {
    const bls = await open()
    for (const { tx, error } of proofs) {
      // The signer is a type (28), the key and the proof; nothing like the type comes before it.
      const signer = hexToBytes(tx.slice(tx.indexOf("0000001c") + 8)).subarray(0, 144)
      expect(verdictOf(() => bls.verifyPossession(signer.subarray(0, 48), signer.subarray(48)))).toMatch(
        new RegExp(`: ${error}$`),
      )
    }
    for (const { tx, error } of warp) {
      // The warp message ends the unsigned transaction and is ended by its signature; credentials and a checksum follow.
      const signature = hexToBytes(tx.slice(2)).slice(-77 - 4 - 96, -77 - 4)
      const sentence = error.replace("failed to parse signature: ", "")
      expect(verdictOf(() => bls.checkSignature(signature))).toBe(`crypto.bls_bad_signature: ${sentence}`)
    }
  }
})

function findings(bls: Bls, { kind, ...vector }: BlsVector): string[] {
  if (kind === "bls sign") return [toHex(bls.sign(hexToBytes(vector.secret_key), utf8(vector.message_utf8)))]
  const [key, proof] = [hexToBytes(vector.public_key), hexToBytes(vector.proof_of_possession)]
  const verdict = verdictOf(() => bls.verifyPossession(key, proof))
  if (kind === "bls proof of possession verify") return [verdict]
  const secret = hexToBytes(vector.secret_key)
  return [verdict, toHex(bls.publicKey(secret)), toHex(bls.signPossession(secret))]
}

function expected({ kind, ...vector }: BlsVector): string[] {
  if (kind === "bls sign") return [vector.signature]
  const verdict = vector.valid === false ? "crypto.bls_bad_possession: invalid proof of possession" : "accepted"
  if (kind === "bls proof of possession verify") return [verdict]
  return [verdict, vector.public_key, vector.proof_of_possession]
}
