import { toHex } from "../lib/bytes.js"
import { refusals } from "../lib/invalid.js"
import { hash160Hex } from "./hash.js"

export const certificateError = refusals({
  "crypto.certificate_too_large": {
    sentence: "the certificate is larger than 2048 bytes",
    avalanchegoMessage: "staking: certificate length is greater than 2048",
  },
  "crypto.certificate_malformed": {
    sentence: "the certificate is not the DER of an X.509 certificate",
    avalanchegoMessage: ({ part }) => `staking: malformed ${part}`,
  },
  "crypto.certificate_key": {
    sentence: "the certificate's key is neither RSA (2048 or 4096 bits, exponent 65537) nor ECDSA P-256",
    avalanchegoMessage: ({ reason }) => `staking: ${reason}`,
  },
})

/** The maximum size of a node's certificate (DER), bytes. */
export const MAX_CERTIFICATE_SIZE = 2048

/** A certificate, of which only the key matters: dates, names and its own signature are not checked. */
export interface Certificate {
  /** Verifies a signature of a message: RSA PKCS #1 v1.5 or ECDSA in ASN.1, over SHA-256. */
  verify(message: Uint8Array, signature: Uint8Array): boolean
}

/** Finds the key in a certificate (DER). Throws `crypto.certificate_*`. */
export type ParseCertificate = (der: Uint8Array) => Certificate

/** Returns the node ID of a certificate: RIPEMD-160 of SHA-256 of its DER, as hex. */
export function nodeIDOfCertificate(der: Uint8Array): string {
  return hash160Hex(der)
}

const SEQUENCE = 0x30
const INTEGER = 0x02
const BIT_STRING = 0x03
const OID = 0x06
const VERSION = 0xa0
const RSA_OID = "2a864886f70d010101"
const ECDSA_OID = "2a8648ce3d0201"

/** The key of a certificate: the modulus of an RSA key with the exponent 65537, or a point of the curve P-256 (65 bytes). */
export type CertificateKey =
  | { readonly kind: "RSA"; readonly modulus: bigint }
  | { readonly kind: "P-256"; readonly point: Uint8Array }

/**
 * Reads the key of a certificate. It reads the DER as far as needed, and is neither stricter nor laxer than AvalancheGo: a block that the
 * network accepted names its proposer by such bytes, and no node can go on that cannot read it. Throws `crypto.certificate_*`.
 */
export function readCertificateKey(der: Uint8Array): CertificateKey {
  if (der.length > MAX_CERTIFICATE_SIZE) throw certificateError("crypto.certificate_too_large", { size: der.length })
  const certificate = new Der(der).enter(SEQUENCE, "certificate").enter(SEQUENCE, "tbs certificate")
  certificate.skipOptional(VERSION)
  certificate.take(INTEGER, "serial number")
  certificate.take(SEQUENCE, "signature algorithm identifier")
  certificate.take(SEQUENCE, "issuer")
  certificate.take(SEQUENCE, "validity")
  certificate.take(SEQUENCE, "issuer")
  const spki = certificate.enter(SEQUENCE, "spki")
  const oid = toHex(spki.enter(SEQUENCE, "public key algorithm identifier").take(OID, "oid"))
  return keyOf(oid, alignedBits(spki.take(BIT_STRING, "subject public key")))
}

/**
 * Returns the bits of a BIT STRING, moved towards the end of its bytes. The first byte counts the unused bits at the end, which must be zero.
 * A key that is written moved up by a few bits is strange, and AvalancheGo reads it.
 */
function alignedBits(content: Uint8Array): Uint8Array {
  const unused = content[0] ?? 8
  const bits = content.subarray(1)
  const last = bits.at(-1) ?? 0
  if (unused > 7 || (bits.length === 0 && unused > 0) || last % 2 ** unused !== 0) {
    throw certificateError("crypto.certificate_malformed", { part: "subject public key" })
  }
  return bits.map((byte, i) => (byte >> unused) | ((bits[i - 1] ?? 0) << (8 - unused)))
}

function keyOf(oid: string, key: Uint8Array): CertificateKey {
  if (oid === RSA_OID) return rsaKey(key)
  if (oid !== ECDSA_OID) throw refusedKey("unknown public key algorithm")
  if (key[0] !== 4 || key.length !== 65 || !isOnP256(key)) throw refusedKey("failed to unmarshal elliptic curve point")
  return { kind: "P-256", point: key }
}

const P256_PRIME = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const P256_B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** Returns whether an uncompressed point is on the curve: y² = x³ − 3x + b. */
function isOnP256(key: Uint8Array): boolean {
  const [x, y] = [BigInt(`0x${toHex(key.subarray(1, 33))}`), BigInt(`0x${toHex(key.subarray(33))}`)]
  return x < P256_PRIME && y < P256_PRIME && (y * y - x * x * x + 3n * x - P256_B) % P256_PRIME === 0n
}

function rsaKey(key: Uint8Array): CertificateKey {
  const parts = new Der(key).enter(SEQUENCE, "spki")
  const modulus = integerOf(parts.take(INTEGER, "spki"), "invalid RSA modulus")
  const exponent = integerOf(parts.take(INTEGER, "spki"), "invalid RSA public exponent")
  const size = modulus.toString(2).length
  if (modulus <= 0n) throw refusedKey("RSA modulus is not a positive number")
  if (size !== 2048 && size !== 4096) throw refusedKey(`unsupported RSA modulus bitlen: ${size}`)
  if (modulus % 2n === 0n) throw refusedKey("RSA modulus is an even number")
  if (exponent !== 65537n) throw refusedKey(`unsupported RSA public exponent: ${exponent}`)
  return { kind: "RSA", modulus }
}

/** Reads a DER integer: two's complement, in as few bytes as possible. */
function integerOf(bytes: Uint8Array, problem: string): bigint {
  const [first, second] = bytes
  const isPadded = second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
  if (first === undefined || isPadded) throw refusedKey(problem)
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${toHex(bytes)}`))
}

function refusedKey(reason: string) {
  return certificateError("crypto.certificate_key", { reason })
}

/** Reads DER: tag, length, content. */
class Der {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  enter(tag: number, part: string): Der {
    return new Der(this.take(tag, part))
  }

  skipOptional(tag: number): void {
    if (this.#bytes[this.#at] === tag) this.take(tag, "version")
  }

  take(tag: number, part: string): Uint8Array {
    const fail = () => certificateError("crypto.certificate_malformed", { part })
    if (this.#bytes[this.#at] !== tag) throw fail()
    const first = this.#bytes[this.#at + 1]
    if (first === undefined) throw fail()
    let start = this.#at + 2
    let length = first
    if (first & 0x80) {
      const count = first & 0x7f
      if (count === 0 || count > 4) throw fail()
      length = 0
      for (let i = 0; i < count; i++) length = length * 256 + (this.#bytes[start + i] ?? 0)
      start += count
      // DER requires the shortest form of a length.
      if (length < 0x80 || length < 256 ** (count - 1)) throw fail()
    }
    if (start + length > this.#bytes.length) throw fail()
    this.#at = start + length
    return this.#bytes.subarray(start, start + length)
  }
}
