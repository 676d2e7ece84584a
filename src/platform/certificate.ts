import { createPublicKey, type KeyObject, verify, X509Certificate } from "node:crypto"
import { type CertificateKey, type ParseCertificate, readCertificateKey } from "../core/crypto/certificate.js"

/** The DER of a P-256 key before its point. */
const P256_PREFIX = "3059301306072a8648ce3d020106082a8648ce3d030107034200"

/** Finds the key in a certificate. Throws `crypto.certificate_*`. */
export const parseCertificate: ParseCertificate = (der) => {
  const publicKey = keyObjectOf(readCertificateKey(der))
  return { verify: (message, signature) => verify("sha256", message, publicKey, signature) }
}

/**
 * Returns whether OpenSSL reads a certificate and its key, without which there is no TLS connection. Go reads some that OpenSSL refuses, such as
 * one whose key has unused bits.
 */
export function isReadByTls(der: Uint8Array): boolean {
  try {
    return new X509Certificate(der).publicKey !== undefined
  } catch {
    return false
  }
}

/** The key is made from its numbers, because OpenSSL may refuse their original encoding. */
function keyObjectOf(key: CertificateKey): KeyObject {
  if (key.kind === "P-256")
    return createPublicKey({ key: Buffer.concat([Buffer.from(P256_PREFIX, "hex"), key.point]), format: "der", type: "spki" })
  const digits = key.modulus.toString(16)
  const n = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex").toString("base64url")
  return createPublicKey({ key: { kty: "RSA", n, e: "AQAB" }, format: "jwk" })
}
