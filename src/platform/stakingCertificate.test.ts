import { createPublicKey, sign, X509Certificate } from "node:crypto"
import { expect, test } from "vitest"
import { MAX_CERTIFICATE_SIZE } from "../core/crypto/certificate.js"
import { parseCertificate } from "./certificate.js"
import { newStakingCertificate } from "./stakingCertificate.js"

const NOW = 1_750_000_000n

test("a new certificate has the properties of AvalancheGo's: P-256, self-signed, valid for a century, without names", () => {
  const { certificate, key } = newStakingCertificate(NOW)
  const parsed = new X509Certificate(certificate)
  expect({
    serial: Number.parseInt(parsed.serialNumber, 16),
    subject: parsed.subject,
    issuer: parsed.issuer,
    from: new Date(parsed.validFrom).toISOString(),
    to: new Date(parsed.validTo).toISOString(),
    isAuthority: parsed.ca,
    isSelfSigned: parsed.verify(createPublicKey(key)),
    isTheKeys: parsed.checkPrivateKey(key),
    curve: parsed.publicKey.asymmetricKeyDetails?.namedCurve,
  }).toEqual({
    serial: 0,
    subject: undefined,
    issuer: undefined,
    from: "1999-12-31T00:00:00.000Z",
    to: "2125-06-15T15:06:40.000Z",
    isAuthority: false,
    isSelfSigned: true,
    isTheKeys: true,
    curve: "prime256v1",
  })
  expect(certificate.length).toBeLessThan(MAX_CERTIFICATE_SIZE)
})

test("the chain recognises the proposer by its certificate, and verifies the signature of its key", () => {
  const { certificate, key } = newStakingCertificate(NOW)
  const message = Buffer.from("a block")
  const parsed = parseCertificate(certificate)
  expect(parsed.verify(message, sign("sha256", message, key))).toBe(true)
  expect(parsed.verify(message, sign("sha256", Buffer.from("another"), key))).toBe(false)
})

test("no two certificates are alike", () => {
  expect(newStakingCertificate(NOW).certificate).not.toEqual(newStakingCertificate(NOW).certificate)
})
