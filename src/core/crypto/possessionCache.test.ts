import { expect, test } from "vitest"
import { loadBlsNoble } from "../../platform/blsNoble.js"
import { possessionCache } from "./bls.js"
import { verdictOf } from "./verdict.contract.js"

const noble = loadBlsNoble()
const [one, two] = [1, 2].map((n) => {
  const secret = new Uint8Array(32).fill(n)
  return { key: noble.publicKey(secret), proof: noble.signPossession(secret) }
}) as [Signer, Signer]

interface Signer {
  readonly key: Uint8Array
  readonly proof: Uint8Array
}

test("a proof that holds is checked once, one that does not each time", () => {
  let checks = 0
  const verifyPossession = (key: Uint8Array, proof: Uint8Array): void => {
    checks++
    noble.verifyPossession(key, proof)
  }
  const verify = possessionCache(() => ({ ...noble, verifyPossession }), 8)
  for (let i = 0; i < 3; i++) verify(one.key.slice(), one.proof.slice())
  expect(checks).toBe(1)
  for (let i = 0; i < 2; i++) {
    expect(verdictOf(() => verify(one.key, two.proof))).toBe("crypto.bls_bad_possession: invalid proof of possession")
  }
  expect(checks).toBe(3)
})
