import { createHash, generateKeyPairSync, sign } from "node:crypto"
import { expect, test } from "vitest"
import { tlsIdentity } from "../../test/fixtures/tlsIdentity.js"
import { Random } from "../../test/fuzz/random.js"
import { readRecording } from "../../test/recordings/recordings.js"
import { nodeIDOfCertificate } from "../core/crypto/certificate.js"
import { concatBytes, hexToBytes, toHex } from "../core/lib/bytes.js"
import { Invalid } from "../core/lib/invalid.js"
import { isReadByTls, parseCertificate } from "./certificate.js"

/** One DER element. */
function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = concatBytes(...parts)
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return concatBytes(Uint8Array.of(tag, ...length), content)
}

const integer = (...bytes: number[]) => der(2, Uint8Array.from(bytes))
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const RSA = hexToBytes("2a864886f70d010101")
const ECDSA = hexToBytes("2a8648ce3d0201")

/** As little of a certificate as is looked at: everything before the key, and the key. */
function certificateOf(algorithm: Uint8Array, key: Uint8Array, unusedBits = 0): Uint8Array {
  const info = sequence(sequence(der(6, algorithm)), der(3, Uint8Array.of(unusedBits), key))
  return sequence(sequence(integer(1), sequence(), sequence(), sequence(), sequence(), info))
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 })
const modulus = [...Buffer.from(rsa.publicKey.export({ format: "jwk" }).n!, "base64url")]
const exponent = integer(1, 0, 1)
const rsaCertificate = (...parts: Uint8Array[]) => certificateOf(RSA, sequence(...parts))
const goodRsa = rsaCertificate(integer(0, ...modulus), exponent)

const ecdsa = generateKeyPairSync("ec", { namedCurve: "P-256" })
const point = ecdsa.publicKey.export({ format: "der", type: "spki" }).subarray(-65)
const goodEcdsa = certificateOf(ECDSA, point)

const message = Uint8Array.of(1, 2, 3)

test("a signature by the certificate's key is known from any other, RSA and ECDSA alike", () => {
  for (const [certificate, key] of [
    [goodRsa, rsa.privateKey],
    [goodEcdsa, ecdsa.privateKey],
  ] as const) {
    const signature = sign("sha256", message, key)
    const parsed = parseCertificate(certificate)
    expect(parsed.verify(message, signature)).toBe(true)
    expect(parsed.verify(Uint8Array.of(9), signature)).toBe(false)
    expect(parsed.verify(message, new Uint8Array(0))).toBe(false)
    expect(
      parsed.verify(
        message,
        signature.map((byte) => byte ^ 1),
      ),
    ).toBe(false)
  }
})

test("a node's ID is the hash of its certificate", () => {
  const sha = createHash("sha256").update(goodEcdsa).digest()
  expect(nodeIDOfCertificate(goodEcdsa)).toBe(createHash("ripemd160").update(sha).digest("hex"))
})

/** The bits of a key, moved up so that some at the end are unused. */
const movedUp = (key: Uint8Array, by: number) => key.map((byte, i) => (byte << by) | ((key[i + 1] ?? 0) >> (8 - by)))

test.each([1, 2, 3, 4, 5])("a key that is moved up by %i bits is the same key, as for AvalancheGo", (unusedBits) => {
  const signature = sign("sha256", message, ecdsa.privateKey)
  const moved = certificateOf(ECDSA, movedUp(point, unusedBits), unusedBits)
  expect(parseCertificate(moved).verify(message, signature)).toBe(true)
})

test("an RSA key that is moved up is the same key, with a zero byte in front of it or without", () => {
  const signature = sign("sha256", message, rsa.privateKey)
  const key = sequence(integer(0, ...modulus), exponent)
  const moved = certificateOf(RSA, movedUp(key, 1), 1)
  expect(parseCertificate(moved).verify(message, signature)).toBe(true)
  const widened = movedUp(concatBytes(Uint8Array.of(0), key), 3)
  expect(() => parseCertificate(certificateOf(RSA, widened, 3))).toThrow(
    expect.objectContaining({ code: "crypto.certificate_malformed" }),
  )
})

test("bytes after the numbers of an RSA key are ignored", () => {
  expect(parseCertificate(rsaCertificate(integer(0, ...modulus), exponent, der(5)))).toBeDefined()
})

test("OpenSSL reads usual certificates, and not all that AvalancheGo's TLS accepts", () => {
  for (const kind of ["ec", "rsa"] as const) expect(isReadByTls(tlsIdentity(kind).certificate)).toBe(true)
  const { vectors } = readRecording<Recorded>("vectors/parse/certificate.json")
  const accepted = vectors.filter(({ expected }) => expected.ok && expected.tls === "ok")
  expect(accepted.some(({ bytes }) => !isReadByTls(hexToBytes(bytes)))).toBe(true)
  expect(isReadByTls(new Uint8Array(0))).toBe(false)
})

interface Recorded {
  readonly vectors: readonly { readonly bytes: string; readonly expected: { readonly ok: boolean; readonly tls: string } }[]
}

const NO_KEY = "staking: malformed subject public key"

test.each([
  ["is too large", new Uint8Array(2049), "crypto.certificate_too_large", "staking: certificate length is greater than 2048"],
  ["is nothing", new Uint8Array(0), "crypto.certificate_malformed", "staking: malformed certificate"],
  ["ends early", goodRsa.subarray(0, -1), "crypto.certificate_malformed", "staking: malformed certificate"],
  ["has no serial number", sequence(sequence(sequence())), "crypto.certificate_malformed", "staking: malformed serial number"],
  [
    "has a length written too long",
    concatBytes(Uint8Array.of(0x30, 0x81, 0x02), sequence()),
    "crypto.certificate_malformed",
    "staking: malformed certificate",
  ],
  ["counts unused bits that are set", certificateOf(ECDSA, point.with(64, 1), 1), "crypto.certificate_malformed", NO_KEY],
  ["counts more unused bits than a byte has", certificateOf(ECDSA, point, 8), "crypto.certificate_malformed", NO_KEY],
  ["counts unused bits of nothing", certificateOf(ECDSA, new Uint8Array(0), 1), "crypto.certificate_malformed", NO_KEY],
  [
    "has another kind of key",
    certificateOf(hexToBytes("2b6570"), point),
    "crypto.certificate_key",
    "staking: unknown public key algorithm",
  ],
  [
    "has a point off the curve",
    certificateOf(
      ECDSA,
      point.map((byte, i) => (i === 64 ? byte ^ 1 : byte)),
    ),
    "crypto.certificate_key",
    "staking: failed to unmarshal elliptic curve point",
  ],
  [
    "has a compressed point",
    certificateOf(ECDSA, Uint8Array.of(2, ...point.subarray(1, 33))),
    "crypto.certificate_key",
    "staking: failed to unmarshal elliptic curve point",
  ],
  [
    "has a negative modulus",
    rsaCertificate(integer(...modulus), exponent),
    "crypto.certificate_key",
    "staking: RSA modulus is not a positive number",
  ],
  [
    "has a modulus written too long",
    rsaCertificate(integer(0, 0, ...modulus), exponent),
    "crypto.certificate_key",
    "staking: invalid RSA modulus",
  ],
  ["has a short modulus", rsaCertificate(integer(0, ...modulus.slice(1)), exponent), "crypto.certificate_key", undefined],
  [
    "has an even modulus",
    rsaCertificate(integer(0, ...modulus.slice(0, -1), 2), exponent),
    "crypto.certificate_key",
    "staking: RSA modulus is an even number",
  ],
  [
    "has exponent 3",
    rsaCertificate(integer(0, ...modulus), integer(3)),
    "crypto.certificate_key",
    "staking: unsupported RSA public exponent: 3",
  ],
  [
    "has an exponent written too long",
    rsaCertificate(integer(0, ...modulus), integer(0, 1, 0, 1)),
    "crypto.certificate_key",
    "staking: invalid RSA public exponent",
  ],
])("a certificate that %s is refused", (_what, certificate, code, reference) => {
  const words = reference === undefined ? {} : { avalanchegoMessage: reference }
  expect(() => parseCertificate(certificate)).toThrow(expect.objectContaining({ code, ...words }))
})

test("a certificate with random changes is read or refused, and nothing else", () => {
  const random = new Random(3)
  for (let i = 0; i < 3000; i++) {
    const certificate = (i % 2 === 0 ? goodRsa : goodEcdsa).slice()
    for (let changes = 1 + random.below(3); changes > 0; changes--)
      certificate[random.below(certificate.length)] = random.below(256)
    try {
      parseCertificate(certificate).verify(message, new Uint8Array(64))
    } catch (error) {
      if (!(error instanceof Invalid)) throw new Error(toHex(certificate), { cause: error })
    }
  }
})
