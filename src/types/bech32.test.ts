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
      // A whole number of bytes seldom is a whole number of groups: what was filled up comes back as one more byte.
      const { hrp: readHrp, bytes: read } = text.length > 90 ? { hrp, bytes } : fromBech32(text)
      expect([readHrp, read.subarray(0, size)]).toEqual([hrp, bytes])
    }
  }
})

const address = Uint8Array.from({ length: 20 }, (_, i) => i * 7)

test("an address is also read in upper case, and with the checksum of bech32m", () => {
  const text = toBech32("local", address)
  expect(fromBech32(text.toUpperCase())).toEqual({ hrp: "local", bytes: address })
  expect(fromBech32(bech32m.encode("local", bech32m.toWords(address)))).toEqual({ hrp: "local", bytes: address })
})

test("a last group that is not full counts as a byte, whatever its bits", () => {
  const words = bech32.toWords(address).slice(0, 31)
  expect(fromBech32(bech32.encode("local", words)).bytes.length).toBe(20)
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
