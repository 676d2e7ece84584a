import { base58 } from "@scure/base"
import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { fromBase58, toBase58 } from "./base58.js"

test("base58 is that of a plain implementation, for bytes of every size and many leading zeroes", () => {
  const random = new Random(1)
  for (let size = 0; size < 130; size++) {
    for (let zeros = 0; zeros <= Math.min(size, 5); zeros++) {
      const bytes = random.bytes(size).fill(0, 0, zeros)
      const text = toBase58(bytes)
      expect(text).toBe(base58.encode(bytes))
      if (size > 0) expect(fromBase58(text)).toEqual(bytes)
    }
    const [low, high] = [new Uint8Array(size), new Uint8Array(size).fill(0xff)]
    expect([toBase58(low), toBase58(high)]).toEqual([base58.encode(low), base58.encode(high)])
    if (size > 0) expect([fromBase58(toBase58(low)), fromBase58(toBase58(high))]).toEqual([low, high])
  }
})

test("base58 is that of a plain implementation beside every multiple of a power of 58", () => {
  for (let digits = 1n; digits < 49n; digits++) {
    for (const times of [1n, 2n, 57n]) {
      for (const near of [-1n, 0n, 1n]) {
        const bytes = Buffer.from((58n ** digits * times + near).toString(16).padStart(72, "0"), "hex")
        expect(toBase58(bytes)).toBe(base58.encode(bytes))
      }
    }
  }
})

test("base58 text that is no canonical number of bytes is read as a plain implementation reads it", () => {
  const random = new Random(2)
  const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: 1 + random.below(80) }, () => digits[random.below(i % 3 === 0 ? 2 : 58)]).join("")
    expect(fromBase58(text)).toEqual(base58.decode(text))
  }
})

test.each([
  ["", "base58 decoding error: zero length string"],
  ["0", "base58 decoding error: Invalid base58 digit ('0')"],
  ["11O1", "base58 decoding error: Invalid base58 digit ('O')"],
  ["l", "base58 decoding error: Invalid base58 digit ('l')"],
  ["a b", "base58 decoding error: Invalid base58 digit (' ')"],
  ["'", "base58 decoding error: Invalid base58 digit ('\\'')"],
  ['"', "base58 decoding error: Invalid base58 digit ('\"')"],
  ["a\x07", "base58 decoding error: Invalid base58 digit ('\\a')"],
  ["abcé", "base58 decoding error: High-bit set on invalid digit"],
])("base58 text %j is refused in the reference's words", (text, reference) => {
  expect(() => fromBase58(text)).toThrow(expect.objectContaining({ code: "types.bad_base58", avalanchegoMessage: reference }))
})

test("a base58 text that is far too long is refused at once", () => {
  const start = performance.now()
  expect(() => fromBase58("z".repeat(10_000_000))).toThrow(expect.objectContaining({ code: "types.bad_base58" }))
  expect(fromBase58("z".repeat(8192)).length).toBe(5999)
  expect(performance.now() - start).toBeLessThan(10_000)
})
