import { expect, test } from "vitest"
import { loadSecp256k1Wasm } from "../../platform/secp256k1Wasm.js"
import { toHex, utf8 } from "../lib/bytes.js"
import { sha256 } from "./hash.js"
import { type RecoverCache, recoverCache } from "./recoverCache.js"
import { addressOf, type Secp256k1 } from "./secp256k1.js"
import { verdictOf } from "./verdict.contract.js"

const wasm = await loadSecp256k1Wasm()
const secret = new Uint8Array(32).fill(1)
const hash = sha256(utf8("transaction"))
const signature = wasm.sign(hash, secret)

/** Asks for the signer of a hash. The ID of its transaction is here the hash itself. */
const signerIn = (cache: RecoverCache, given: Uint8Array, by: Uint8Array): string => cache.signer(toHex(given), by, () => given)

/** A back end that counts how often it recovers. */
function counting(): { backend: Secp256k1; count: () => number } {
  let recovered = 0
  const recover: Secp256k1["recover"] = (...given) => {
    recovered++
    return wasm.recover(...given)
  }
  return { backend: { ...wasm, recover }, count: () => recovered }
}

test("the same signature of the same transaction is recovered once", () => {
  const { backend, count } = counting()
  const cache = recoverCache(() => backend, 8)
  for (let input = 0; input < 5; input++) expect(signerIn(cache, hash, signature.slice())).toBe(addressOf(wasm.publicKey(secret)))
  expect(count()).toBe(1)
})

test("another transaction or another signature is recovered separately", () => {
  const { backend, count } = counting()
  const cache = recoverCache(() => backend, 8)
  const other = sha256(utf8("another transaction"))
  expect(signerIn(cache, hash, signature)).not.toBe(signerIn(cache, other, signature))
  expect(signerIn(cache, other, wasm.sign(other, secret))).toBe(signerIn(cache, hash, signature))
  expect(count()).toBe(3)
})

test("a signer that was recovered elsewhere counts for its transaction and its signature only", () => {
  const { backend, count } = counting()
  const cache = recoverCache(() => backend, 8)
  const [other, stranger] = [sha256(utf8("another transaction")), "00".repeat(20)]
  cache.remember(toHex(hash), signature, stranger)
  expect(signerIn(cache, hash.slice(), signature.slice())).toBe(stranger)
  expect(signerIn(cache, other, wasm.sign(other, secret))).toBe(addressOf(wasm.publicKey(secret)))
  expect(signerIn(cache, hash, wasm.sign(hash, new Uint8Array(32).fill(2)))).not.toBe(stranger)
  expect(count()).toBe(2)
})

test("a refusal is not remembered", () => {
  const { backend, count } = counting()
  const cache = recoverCache(() => backend, 8)
  const zeros = new Uint8Array(65)
  for (let i = 0; i < 2; i++)
    expect(verdictOf(() => signerIn(cache, hash, zeros))).toBe("crypto.signature_invalid: invalid signature")
  expect(count()).toBe(2)
})

test("no back end is asked for before the first signature", () => {
  recoverCache(() => expect.fail("asked too early"), 8)
})
