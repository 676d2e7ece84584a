import { expect, test } from "vitest"
import { type Encoding, fromHexText, parseEncoding, toHexText } from "./hexText.js"

test("bytes are carried with a checksum, or without", () => {
  const bytes = Uint8Array.of(0)
  expect(toHexText(bytes)).toBe("0x0017afa01d")
  expect(toHexText(bytes, "hexc")).toBe("0x0017afa01d")
  expect(toHexText(bytes, "hexnc")).toBe("0x00")
  expect([toHexText(new Uint8Array(0)), toHexText(new Uint8Array(0), "hexnc")]).toEqual(["0x7852b855", "0x"])
  expect(fromHexText("0x0017AFA01d")).toEqual(bytes)
})

test("an empty text is no bytes, in every encoding", () => {
  for (const encoding of ["hex", "hexc", "hexnc"] as const) expect(fromHexText("", encoding)).toEqual(new Uint8Array(0))
})

const refusals: readonly [string, Encoding, string, string][] = [
  ["00", "hex", "types.no_hex_prefix", "missing 0x prefix to hex encoding"],
  ["0X00", "hex", "types.no_hex_prefix", "missing 0x prefix to hex encoding"],
  ["0x", "hex", "types.no_checksum", "input string is smaller than the checksum size"],
  ["0x17afa0", "hexc", "types.no_checksum", "input string is smaller than the checksum size"],
  ["0x0017afa01e", "hex", "types.bad_checksum", "invalid input checksum"],
  ["0x0", "hexnc", "types.odd_hex", "encoding/hex: odd length hex string"],
  ["0x0Z", "hexnc", "types.bad_hex", "encoding/hex: invalid byte: U+005A 'Z'"],
  ["0x0", "hex", "types.odd_hex", "encoding/hex: odd length hex string"],
  ["0xZ", "hex", "types.bad_hex", "encoding/hex: invalid byte: U+005A 'Z'"],
  ["0x00 ", "hexnc", "types.bad_hex", "encoding/hex: invalid byte: U+0020 ' '"],
  ["0x00\n", "hexnc", "types.bad_hex", "encoding/hex: invalid byte: U+000A"],
  ["0xé0", "hexnc", "types.bad_hex", "encoding/hex: invalid byte: U+00C3 'Ã'"],
  ["0x😀", "hexnc", "types.bad_hex", "encoding/hex: invalid byte: U+00F0 'ð'"],
  ["0x00", "json", "types.unsupported_encoding", "unsupported encoding in method"],
]
test.each(refusals)("%j as %s is refused", (text, encoding, code, reference) => {
  expect(() => fromHexText(text, encoding)).toThrow(expect.objectContaining({ code, avalanchegoMessage: reference }))
})

test("an encoding is known by its name in any case, and by no other", () => {
  expect(["hex", "HEX", "HexC", "hexNC", "Json"].map(parseEncoding)).toEqual(["hex", "hex", "hexc", "hexnc", "json"])
  for (const name of ["", "cb58", "hexx", " hex"]) {
    expect(() => parseEncoding(name)).toThrow(
      expect.objectContaining({ code: "types.bad_encoding", avalanchegoMessage: "invalid encoding" }),
    )
  }
  expect(() => toHexText(new Uint8Array(0), "json")).toThrow(expect.objectContaining({ code: "types.unsupported_encoding" }))
})

test("a character beyond ASCII is no digit, whatever its last byte is", () => {
  expect(() => fromHexText("0x\u0130\u013000", "hexnc")).toThrowError(expect.objectContaining({ code: "types.bad_hex" }))
})
