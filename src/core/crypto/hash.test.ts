import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { toHex, utf8 } from "../lib/bytes.js"
import { hash160Hex, sha256, sha256Hex } from "./hash.js"

// FIPS 180-2.
const hashes: readonly (readonly [text: string, sha256: string])[] = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
]

test.each(hashes)("hashes %j as published", (text, sha) => {
  const bytes = utf8(text)
  expect(toHex(sha256(bytes))).toBe(sha)
  expect(sha256Hex(bytes)).toBe(sha)
})

test("an address is the RIPEMD-160 of the SHA-256, as OpenSSL computes them", () => {
  const ripemd = (bytes: Uint8Array) => createHash("ripemd160").update(createHash("sha256").update(bytes).digest()).digest("hex")
  for (const size of [0, 1, 55, 56, 64, 1000])
    expect(hash160Hex(new Uint8Array(size).fill(size))).toBe(ripemd(new Uint8Array(size).fill(size)))
  const bytes = utf8("abc")
  expect(hash160Hex(bytes)).toBe("bb1be98c142444d7a56aa3981c3942a978e4dc33")
})

test("hashes a part of a larger buffer, and 256 KiB, which a transaction may have", () => {
  const large = new Uint8Array(262_144 + 2).fill(0x61)
  expect(sha256Hex(large.subarray(1, 2))).toBe(sha256Hex(utf8("a")))
  expect(toHex(sha256(large.subarray(1, -1)))).toBe("dd3dde87623d9a6b354c68c943d189c89c63652d945e7bbdf0986cae91a49521")
})

test("gives arrays of its own, not views of a pool", () => {
  const bytes = sha256(utf8("abc"))
  expect(bytes.constructor).toBe(Uint8Array)
  expect(bytes.buffer.byteLength).toBe(bytes.length)
})
