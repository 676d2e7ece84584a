import { expect, test } from "vitest"
import { secp256k1 } from "../core/crypto/backends.js"
import { sha256 } from "../core/crypto/hash.js"
import { concatBytes, utf8 } from "../core/lib/bytes.js"
import { PUBLIC_KEY_SIZE, recoverAll } from "./recoverWorker.js"

test("every signature gives its public key, and an invalid one gives zeros", () => {
  const secrets = [1, 2].map((byte) => new Uint8Array(32).fill(byte))
  const hash = sha256(utf8("a transaction"))
  const [first, second] = secrets.map((secret) => secp256k1().sign(hash, secret)) as [Uint8Array, Uint8Array]
  const keys = recoverAll(concatBytes(hash, first, hash, new Uint8Array(65), hash, second))
  const [firstKey, secondKey] = secrets.map((secret) => secp256k1().publicKey(secret)) as [Uint8Array, Uint8Array]
  expect(keys).toEqual(concatBytes(firstKey, new Uint8Array(PUBLIC_KEY_SIZE), secondKey))
})
