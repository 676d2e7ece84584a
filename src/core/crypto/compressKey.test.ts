import { expect, test } from "vitest"
import { compressKey } from "./compressKey.js"
import { verdictOf } from "./verdict.contract.js"

// That it agrees with AvalancheGo and with the libraries is in bls.contract.ts.
const bad: readonly (readonly [what: string, key: Uint8Array, verdict: string])[] = [
  ["a compressed key", new Uint8Array(48).fill(0x80, 0, 1), "couldn't decompress public key"],
  ["96 bytes with the mark of compression", new Uint8Array(96).fill(0x80, 0, 1), "couldn't decompress public key"],
  ["the neutral point", new Uint8Array(96).fill(0x40, 0, 1), "invalid public key"],
]

test.each(bad)("%s is no uncompressed key", (_what, key, sentence) => {
  expect(verdictOf(() => compressKey(key))).toBe(`crypto.bls_bad_public_key: ${sentence}`)
})
