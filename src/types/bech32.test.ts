import { bech32, bech32m } from "@scure/base"
import { expect, test } from "vitest"
import { Random } from "../../test/strangers/random.js"
import { fromBech32, toBech32 } from "./bech32.js"

test("bech32 is that of a plain implementation, for every HRP and many bytes", () => {
  const random = new Random(1)
  for (const hrp of ["avax", "fuji", "local", "custom", "testing", "a", "a1b"]) {
    for (let size = 0; size <= 45; size++) {
      const bytes = random.bytes(size)
      const text = toBech32(hrp, bytes)
      expect(text).toBe(bech32.encode(hrp, bech32.toWords(bytes), false))
      if (text.length <= 90) expect(fromBech32(text)).toEqual({ hrp, bytes })
    }
  }
})

const address = Uint8Array.from({ length: 20 }, (_, i) => i * 7)

test("an address is also read in upper case", () => {
  expect(fromBech32(toBech32("local", address).toUpperCase())).toEqual({ hrp: "local", bytes: address })
})

test("a checksum of bech32m is none", () => {
  const text = bech32m.encode("local", bech32m.toWords(address))
  expect(() => fromBech32(text)).toThrow(expect.objectContaining({ code: "types.bad_bech32" }))
})

test("a last group that is not a whole byte holds nothing", () => {
  const words = bech32.toWords(address)
  for (const more of [[0], [1], [0, 1], [0, 0, 1]]) {
    const text = bech32.encode("local", [...words, ...more])
    const reference = "invalid incomplete group"
    expect(() => fromBech32(text)).toThrow(expect.objectContaining({ code: "types.bad_bech32", reference }))
  }
})

test.each([
  ["nope", "invalid bech32 string length 4"],
  [`local1${"q".repeat(85)}`, "invalid bech32 string length 91"],
  [
    "fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
    "invalid checksum (expected (bech32=6wmu4t, bech32m=6wmu4t0jtssf), got 00z96u)",
  ],
  ["fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4T", "string not all lowercase or all uppercase"],
  ["fuji18jma8 pw3nhx5r4ap8clazz0dps7rv5u6wmu4t", "invalid character in string: ' '"],
  ["fuji18jma8épw3nhx5r4ap8clazz0dps7rv5u6wmu4t", "invalid character in string: 'Ã'"],
  ["1qqqqqqqqqqqqqqqq", "invalid separator index 0"],
  ["fujiqqqqqqqqqqqqq", "invalid separator index -1"],
  ["fujiqqqqqqqq1qqqq", "invalid separator index 12"],
  ["fuji1bqqqqqqqqqqq", "invalid character not part of charset: 98"],
])("%j is refused in the reference's words", (text, reference) => {
  expect(() => fromBech32(text)).toThrow(expect.objectContaining({ code: "types.bad_bech32", reference }))
})
