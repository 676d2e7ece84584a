import { createPublicKey, type KeyObject, verify } from "node:crypto"
import { refusals } from "../lib/invalid.js"
import { hash160Hex } from "./hash.js"

/** Errors of staking certificates. */
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
  readonly publicKey: KeyObject
}

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
const P256_PREFIX = "3059301306072a8648ce3d020106082a8648ce3d030107034200"

/** Finds the key in a certificate. Throws `crypto.certificate_*`. */
export type ParseCertificate = (der: Uint8Array) => Certificate

/** Finds the key in a certificate. It reads the DER as far as needed. Throws `crypto.certificate_*`. */
export const parseCertificate: ParseCertificate = (der) => {
  if (der.length > MAX_CERTIFICATE_SIZE) throw certificateError("crypto.certificate_too_large", { size: der.length })
  const certificate = new Der(der).enter(SEQUENCE, "certificate").enter(SEQUENCE, "tbs certificate")
  certificate.skipOptional(VERSION)
  certificate.skip(INTEGER, "serial number")
  certificate.skip(SEQUENCE, "signature algorithm identifier")
  certificate.skip(SEQUENCE, "issuer")
  certificate.skip(SEQUENCE, "validity")
  certificate.skip(SEQUENCE, "issuer")
  const spki = certificate.enter(SEQUENCE, "spki")
  const oid = Buffer.from(spki.enter(SEQUENCE, "public key algorithm identifier").take(OID, "oid")).toString("hex")
  const bits = spki.take(BIT_STRING, "subject public key")
  // The first byte counts the unused bits at the end. Keys have none.
  if (bits[0] !== 0) throw certificateError("crypto.certificate_malformed", { part: "subject public key" })
  return { publicKey: keyOf(oid, bits.subarray(1)) }
}

/** Verifies a signature of a message with the certificate's key: RSA PKCS #1 v1.5 or ECDSA in ASN.1, over SHA-256. */
export function verifyCertificateSignature({ publicKey }: Certificate, message: Uint8Array, signature: Uint8Array): boolean {
  return verify("sha256", message, publicKey, signature)
}

function keyOf(oid: string, key: Uint8Array): KeyObject {
  if (oid === RSA_OID) return rsaKey(key)
  if (oid !== ECDSA_OID) throw refusedKey("unknown public key algorithm")
  try {
    if (key[0] !== 4 || key.length !== 65) throw new Error("not an uncompressed point")
    return createPublicKey({ key: Buffer.concat([Buffer.from(P256_PREFIX, "hex"), key]), format: "der", type: "spki" })
  } catch {
    throw refusedKey("failed to unmarshal elliptic curve point")
  }
}

/** The key is made from its two numbers, because OpenSSL may refuse their original encoding. */
function rsaKey(key: Uint8Array): KeyObject {
  const parts = new Der(key).enter(SEQUENCE, "spki")
  const modulus = integerOf(parts.take(INTEGER, "spki"), "invalid RSA modulus")
  const exponent = integerOf(parts.take(INTEGER, "spki"), "invalid RSA public exponent")
  const size = modulus.toString(2).length
  if (modulus <= 0n) throw refusedKey("RSA modulus is not a positive number")
  if (size !== 2048 && size !== 4096) throw refusedKey(`unsupported RSA modulus bitlen: ${size}`)
  if (modulus % 2n === 0n) throw refusedKey("RSA modulus is an even number")
  if (exponent !== 65537n) throw refusedKey(`unsupported RSA public exponent: ${exponent}`)
  const n = Buffer.from(modulus.toString(16).padStart(size / 4, "0"), "hex").toString("base64url")
  return createPublicKey({ key: { kty: "RSA", n, e: "AQAB" }, format: "jwk" })
}

/** Reads a DER integer: two's complement, in as few bytes as possible. */
function integerOf(bytes: Uint8Array, problem: string): bigint {
  const [first, second] = bytes
  const isPadded = second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
  if (first === undefined || isPadded) throw refusedKey(problem)
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString("hex")}`))
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

  skip(tag: number, part: string): void {
    this.take(tag, part)
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
