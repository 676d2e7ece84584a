import { expect, test } from "vitest"
import { hexToBytes, toHex } from "../lib/bytes.js"
import { checksumOf, fromCb58, toCb58, withoutChecksum } from "./cb58.js"

test("bytes are spelled with their checksum behind them", () => {
  expect(toCb58(new Uint8Array(0))).toBe("45PJLL")
  expect(toCb58(Uint8Array.of(0))).toBe("1c7hwa")
  expect(toCb58(hexToBytes("617661206c616273".padEnd(64, "0")))).toBe("jvYi6Tn9idMi7BaymUVi9zWjg5tpmW7trfKG1AYJLKZJ2fsU7")
  expect(fromCb58("45PJLL")).toEqual(new Uint8Array(0))
  expect(toHex(checksumOf(Uint8Array.of(0)))).toBe("17afa01d")
})

test.each([
  ["", "types.bad_base58", "base58 decoding error: zero length string"],
  ["0OIl", "types.bad_base58", "base58 decoding error: Invalid base58 digit ('0')"],
  ["1", "types.no_checksum", "input string is smaller than the checksum size"],
  ["111", "types.no_checksum", "input string is smaller than the checksum size"],
  ["1111", "types.bad_checksum", "invalid input checksum"],
  ["foobar", "types.bad_checksum", "invalid input checksum"],
  ["45PJLM", "types.bad_checksum", "invalid input checksum"],
  ["1c7hwa", "types.wrong_size", "invalid hash length: expected 32 bytes but got 1"],
])("%j is no ID, because of %s", (text, code, reference) => {
  expect(() => fromCb58(text, 32)).toThrow(expect.objectContaining({ code, avalanchegoMessage: reference }))
})

test("a text that is much too long for an ID costs no time", () => {
  const start = performance.now()
  expect(() => fromCb58("z".repeat(10_000_000), 32)).toThrow(expect.objectContaining({ code: "types.bad_checksum" }))
  expect(() => fromCb58(`${"z".repeat(1000)}0`, 32)).toThrow(
    expect.objectContaining({ avalanchegoMessage: "base58 decoding error: Invalid base58 digit ('0')" }),
  )
  expect(performance.now() - start).toBeLessThan(1000)
})

test("the checksum is checked before the length", () => {
  expect(() => fromCb58("1c7hwb", 32)).toThrow(expect.objectContaining({ code: "types.bad_checksum" }))
})

test("a checksum is taken off only where it fits", () => {
  expect(withoutChecksum(hexToBytes("0017afa01d"))).toEqual(Uint8Array.of(0))
  expect(() => withoutChecksum(hexToBytes("0117afa01d"))).toThrow(expect.objectContaining({ code: "types.bad_checksum" }))
  expect(() => withoutChecksum(hexToBytes("17afa0"))).toThrow(
    expect.objectContaining({ code: "types.no_checksum", data: { size: 3 } }),
  )
})
