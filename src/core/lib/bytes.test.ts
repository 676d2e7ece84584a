import { expect, test } from "vitest"
import {
  compareBytes,
  concatBytes,
  equalBytes,
  fromHex,
  hexToBytes,
  isZero,
  latin1,
  latin1Bytes,
  partToHex,
  textOfUtf8,
  toHex,
  utf8,
} from "./bytes.js"

test("bytes are lowercase hex, and hex of either case is bytes", () => {
  const bytes = Uint8Array.of(0, 1, 0xab, 0xff)
  expect(toHex(bytes)).toBe("0001abff")
  expect(fromHex("0001ABff")).toEqual(bytes)
  expect(hexToBytes("0001abff")).toEqual(bytes)
  expect([toHex(new Uint8Array(0)), fromHex("")]).toEqual(["", new Uint8Array(0)])
})

test("a part of a larger buffer is that part alone", () => {
  expect(toHex(Uint8Array.of(1, 2, 3, 4).subarray(1, 3))).toBe("0203")
})

test.each(["0", "0g", "0x00", " 00", "00 ", "é0", "00\n"])("%j is not hex", (text) => {
  expect(fromHex(text)).toBeUndefined()
})

test("bytes are compared as unsigned numbers, and a prefix comes first", () => {
  const sorted = ["", "00", "0000", "01", "7f", "80", "ff", "ff00"].map(hexToBytes)
  expect([...sorted].reverse().sort(compareBytes)).toEqual(sorted)
  expect(equalBytes(Uint8Array.of(1), Uint8Array.of(1))).toBe(true)
  expect(equalBytes(Uint8Array.of(1), Uint8Array.of(1, 0))).toBe(false)
})

test("bytes are joined, and zeroes are known", () => {
  expect(concatBytes(Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3))).toEqual(Uint8Array.of(1, 2, 3))
  expect([isZero(new Uint8Array(3)), isZero(new Uint8Array(0)), isZero(Uint8Array.of(0, 1))]).toEqual([true, true, false])
  expect(toHex(utf8("é⌘"))).toBe("c3a9e28c98")
})

test.each([0, 1, 63, 64, 65, 100, 8192, 8193, 70_000])("%i bytes have the same texts as those of a Buffer", (size) => {
  const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 167 + (i >> 8)) & 0xff)
  const buffer = Buffer.from(bytes)
  expect(toHex(bytes)).toBe(buffer.toString("hex"))
  expect(partToHex(bytes, size >> 2, size)).toBe(buffer.toString("hex", size >> 2))
  expect(latin1(bytes)).toBe(buffer.toString("latin1"))
  expect(latin1Bytes(latin1(bytes))).toEqual(bytes)
  expect(textOfUtf8(bytes)).toBe(buffer.toString("utf8"))
})

test("UTF-8 keeps a byte order mark, and halves of surrogate pairs become U+FFFD", () => {
  expect(textOfUtf8(utf8("\ufeffa"))).toBe("\ufeffa")
  expect(textOfUtf8(utf8("\ud800a"))).toBe("\ufffda")
})
