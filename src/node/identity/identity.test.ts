import { generateKeyPairSync, X509Certificate } from "node:crypto"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { readRecording } from "../../../test/recordings/recordings.js"
import { refusal } from "../../../test/refusal.js"
import { nodeIDOfCertificate } from "../../core/crypto/certificate.js"
import { hexToBytes, toHex } from "../../core/lib/bytes.js"
import { nodeIDText } from "../../core/types/id.js"
import { bls } from "../../platform/backends.js"
import { newStakingCertificate } from "../../platform/stakingCertificate.js"
import { type IdentityChoice, localIdentity, openIdentity } from "./identity.js"

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "serac-identity-"))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const NOW = 1_750_000_000n
const open = (choice: Partial<IdentityChoice> = {}) => openIdentity({ isBuiltIn: false, dataDir, now: NOW, ...choice })
const pathOf = (name: string) => join(dataDir, "staking", name)
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** A certificate and key as PEM, as files or contents would hold them. */
function pems() {
  const { certificate, key } = newStakingCertificate(NOW)
  const pem = new X509Certificate(certificate).toString()
  return {
    certificate: pem,
    key: key.export({ type: "pkcs8", format: "pem" }).toString(),
    nodeID: nodeIDOfCertificate(certificate),
  }
}

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString("base64")
const secret = hexToBytes("01".repeat(32))

describe("without flags", () => {
  test("a node of the built-in genesis is its first validator, and nothing is written", () => {
    const identity = open({ isBuiltIn: true, flags: { "staking-ephemeral-cert-enabled": false } })
    expect(nodeIDText(identity.nodeID)).toBe("NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg")
    expect(Buffer.from(identity.secret).toString()).toBe("AvalancheLocalNetworkValidator01")
    expect(identity.staking).toBeUndefined()
    expect(readdirSync(dataDir)).toEqual([])
  })

  test("any other node makes its keys once, readable by their owner alone", () => {
    const identity = open()
    expect(open()).toMatchObject({ nodeID: identity.nodeID, secret: identity.secret, publicKey: identity.publicKey })
    expect(readdirSync(pathOf(".")).sort()).toEqual(["signer.key", "staker.crt", "staker.key"])
    expect(["signer.key", "staker.crt", "staker.key"].map((name) => modeOf(pathOf(name)))).toEqual(["400", "400", "400"])
    expect(statSync(pathOf(".")).mode & 0o027).toBe(0)
    expect(readFileSync(pathOf("signer.key"))).toEqual(Buffer.from(identity.secret))
    expect(readFileSync(pathOf("staker.crt"), "latin1")).toMatch(
      /^-----BEGIN CERTIFICATE-----\n[\s\S]*-----END CERTIFICATE-----\n$/,
    )
    expect(readFileSync(pathOf("staker.key"), "latin1")).toMatch(
      /^-----BEGIN PRIVATE KEY-----\n[\s\S]*-----END PRIVATE KEY-----\n$/,
    )
    expect(nodeIDOfCertificate(new X509Certificate(readFileSync(pathOf("staker.crt"))).raw)).toBe(identity.nodeID)
  })

  test("a BLS key may begin with the bytes of gzip", () => {
    const { nodeID } = open()
    const key = hexToBytes(`1f8b${"01".repeat(30)}`)
    rmSync(pathOf("signer.key"))
    writeFileSync(pathOf("signer.key"), key)
    expect(open()).toMatchObject({ nodeID, secret: key })
  })

  test("a data directory whose folder of keys is a link is refused, and nothing is written where it leads", () => {
    const elsewhere = mkdtempSync(join(dataDir, "elsewhere-"))
    symlinkSync(elsewhere, join(dataDir, "staking"))
    expect(refusal(() => open()).code).toBe("node.staking_link")
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test("a certificate without its key is replaced by a new pair", () => {
    const { nodeID, secret } = open()
    rmSync(pathOf("staker.key"))
    const again = open()
    expect(again.nodeID).not.toBe(nodeID)
    expect(again.secret).toEqual(secret)
    expect(open().nodeID).toBe(again.nodeID)
  })

  test("an ephemeral node has a new identity at each start", () => {
    const one = openIdentity({ isBuiltIn: false, now: NOW })
    const other = openIdentity({ isBuiltIn: false, now: NOW })
    expect(one.nodeID).not.toBe(other.nodeID)
    expect(one.secret).not.toEqual(other.secret)
  })
})

test("the proof of possession is the key's, and the same each time", () => {
  const identity = open()
  bls().verifyPossession(identity.publicKey, identity.proofOfPossession)
  expect(identity.proofOfPossession).toBe(identity.proofOfPossession)
})

describe("with AvalancheGo's flags", () => {
  test("flags with contents are base64 of the files, and take precedence over the built-in identity", () => {
    const { certificate, key, nodeID } = pems()
    const flags = {
      "staking-tls-cert-file-content": base64(certificate),
      "staking-tls-key-file-content": base64(key),
      "staking-signer-key-file-content": base64(secret),
    }
    const identity = open({ isBuiltIn: true, flags })
    expect([identity.nodeID, identity.secret]).toEqual([nodeID, secret])
    expect(readdirSync(dataDir)).toEqual([])
  })

  test("files are read from the given paths, also older forms of keys", () => {
    const { certificate, nodeID } = pems()
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
    writeFileSync(join(dataDir, "crt"), certificate)
    writeFileSync(join(dataDir, "rsa"), privateKey.export({ type: "pkcs1", format: "pem" }))
    writeFileSync(join(dataDir, "bls"), secret)
    const flags = { "staking-tls-cert-file": join(dataDir, "crt"), "staking-signer-key-file": join(dataDir, "bls") }
    expect(refusal(() => open({ flags: { ...flags, "staking-tls-key-file": join(dataDir, "rsa") } })).code).toBe(
      "node.foreign_staking_key",
    )
    const own = newStakingCertificate(NOW)
    writeFileSync(join(dataDir, "crt"), new X509Certificate(own.certificate).toString())
    writeFileSync(join(dataDir, "sec1"), own.key.export({ type: "sec1", format: "pem" }))
    const identity = open({ flags: { ...flags, "staking-tls-key-file": join(dataDir, "sec1") } })
    expect([identity.nodeID, identity.secret]).toEqual([nodeIDOfCertificate(own.certificate), secret])
    expect(identity.nodeID).not.toBe(nodeID)
    expect(existsSync(pathOf("."))).toBe(false)
  })

  test("ephemeral identities take precedence over files, and are not stored", () => {
    const kept = open()
    const flags = { "staking-ephemeral-cert-enabled": true, "staking-ephemeral-signer-enabled": true }
    const fresh = open({ flags })
    expect([fresh.nodeID === kept.nodeID, toHex(fresh.secret) === toHex(kept.secret)]).toEqual([false, false])
    expect(open().nodeID).toBe(kept.nodeID)
  })

  const { certificate, key } = pems()
  test.each<[string, string, IdentityChoice["flags"]]>([
    ["a missing key", "node.identity_file_missing", { "staking-tls-key-file": "/nowhere/key" }],
    ["a missing certificate", "node.identity_file_missing", { "staking-tls-cert-file": "/nowhere/crt" }],
    ["a missing signer key", "node.identity_file_missing", { "staking-signer-key-file": "/nowhere/bls" }],
    ["a device without end", "node.identity_file_unreadable", { "staking-signer-key-file": "/dev/zero" }],
    ["a folder for a file", "node.identity_file_unreadable", { "staking-signer-key-file": "/" }],
    ["a certificate alone", "node.staking_half_given", { "staking-tls-cert-file-content": base64(certificate) }],
    ["a key alone", "node.staking_half_given", { "staking-tls-key-file-content": base64(key) }],
    ["what is not base64", "node.not_base64", { "staking-tls-key-file-content": "%%%" }],
    [
      "what is no certificate",
      "node.bad_staking_certificate",
      { "staking-tls-cert-file-content": base64(key), "staking-tls-key-file-content": base64(key) },
    ],
    [
      "what is no key",
      "node.bad_staking_key",
      { "staking-tls-cert-file-content": base64(certificate), "staking-tls-key-file-content": base64(certificate) },
    ],
    [
      "another's key",
      "node.foreign_staking_key",
      { "staking-tls-cert-file-content": base64(certificate), "staking-tls-key-file-content": base64(pems().key) },
    ],
    ["a short BLS secret", "node.bad_signer_key", { "staking-signer-key-file-content": base64(secret.slice(1)) }],
    [
      "a BLS secret past the order",
      "node.bad_signer_key",
      { "staking-signer-key-file-content": base64(new Uint8Array(32).fill(255)) },
    ],
    [
      "two signers",
      "node.several_signers",
      { "staking-signer-key-file-content": base64(secret), "staking-ephemeral-signer-enabled": true },
    ],
  ])("%s is refused", (_, code, flags) => {
    expect(refusal(() => open({ flags: { ...flags } })).code).toBe(code)
  })

  test("a TLS key without a certificate is refused when there is no data directory", () => {
    const flags = { "staking-tls-key-file": "/nowhere/key" }
    expect(refusal(() => openIdentity({ isBuiltIn: false, now: NOW, flags })).code).toBe("node.staking_half_given")
  })
})

interface LocalStaker {
  readonly kind: string
  readonly node_id: string
  readonly certificate_der: string
  readonly bls_secret_key: string
  readonly bls_public_key: string
  readonly bls_proof_of_possession: string
}

test("the five local validators are those of AvalancheGo, keys and proofs included", () => {
  const { vectors } = readRecording<{ vectors: LocalStaker[] }>("vectors/genesis.json")
  const stakers = vectors.filter(({ kind }) => kind === "local staker")
  expect(stakers.length).toBe(5)
  for (const [index, staker] of stakers.entries()) {
    const { nodeID, secret, publicKey, proofOfPossession } = localIdentity(index)
    expect({
      node_id: nodeIDText(nodeID),
      bls_secret_key: toHex(secret),
      bls_public_key: `0x${toHex(publicKey)}`,
      bls_proof_of_possession: `0x${toHex(proofOfPossession)}`,
    }).toEqual({
      node_id: staker.node_id,
      bls_secret_key: staker.bls_secret_key,
      bls_public_key: staker.bls_public_key,
      bls_proof_of_possession: staker.bls_proof_of_possession,
    })
    expect(nodeIDOfCertificate(hexToBytes(staker.certificate_der))).toBe(nodeID)
    expect(bls().signPossession(secret)).toEqual(proofOfPossession)
  }
})
