import { expect, test } from "vitest"
import { refusal } from "../../../test/refusal.js"
import { concatBytes, hexToBytes, toHex } from "../lib/bytes.js"
import { BloomFilter, bloomSize } from "./bloomFilter.js"

const salt = Uint8Array.from({ length: 32 }, (_, i) => i)
const key = hexToBytes("a038e8c4e3fef8a65645eba257d53f4b9727523a9205b00262e7487ad3dbb99a")

test("an entry sets the bits that AvalancheGo sets", () => {
  const filter = BloomFilter.empty({ hashes: 2, bytes: 4 }, hexToBytes("0123456789abcdeffedcba9876543210"), salt)
  filter.add(key)
  expect(toHex(filter.toBytes())).toBe("020123456789abcdeffedcba987654321000001200")
  const parsed = BloomFilter.parse(filter.toBytes(), salt)
  expect([parsed.has(key), parsed.has(salt)]).toEqual([true, false])
})

test("filters have AvalancheGo's sizes", () => {
  expect(bloomSize(128, 0.001)).toEqual({ hashes: 10, bytes: 230 })
  expect(bloomSize(8192, 0.01)).toEqual({ hashes: 7, bytes: 9815 })
})

test("the smallest filter contains no entry", () => {
  expect(BloomFilter.parse(hexToBytes("01000000000000000000"), salt).has(key)).toBe(false)
})

test("a filter without hash functions, with too many, or without bits is refused", () => {
  for (const raw of ["", "00", "0011", `01${"00".repeat(8)}`, `11${"00".repeat(200)}`]) {
    expect(refusal(() => BloomFilter.parse(hexToBytes(raw), salt)).code).toBe("p2p.bad_filter")
  }
})

test("members are always found", () => {
  const filter = BloomFilter.empty(bloomSize(100, 0.01), concatBytes(salt, salt, salt, salt), salt)
  const keys = Array.from({ length: 100 }, (_, i) => Uint8Array.of(i))
  for (const each of keys) filter.add(each)
  expect(keys.every((each) => filter.has(each))).toBe(true)
})
