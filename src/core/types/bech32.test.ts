import { bech32, bech32m } from "@scure/base"
import { expect, test } from "vitest"
import { Random } from "../../../test/fuzz/random.js"
import { toHex } from "../lib/bytes.js"
import { fromBech32, toBech32 } from "./bech32.js"

test("bech32 is that of a plain implementation, for every HRP and many bytes", () => {
  const random = new Random(1)
  for (const hrp of ["avax", "fuji", "local", "custom", "testing", "a", "a1b"]) {
    for (let size = 0; size <= 45; size++) {
      const bytes = random.bytes(size)
      const text = toBech32(hrp, bytes)
      expect(text).toBe(bech32.encode(hrp, bech32.toWords(bytes), false))
      // If the bytes do not fill the last group, its remaining bits are read as one more byte.
      const read = size % 5 === 0 ? bytes : Uint8Array.of(...bytes, 0)
      if (text.length <= 90) expect(fromBech32(text)).toEqual({ hrp, bytes: read })
    }
  }
})

const address = Uint8Array.from({ length: 20 }, (_, i) => i * 7)

test("an address is also read in upper case", () => {
  expect(fromBech32(toBech32("local", address).toUpperCase())).toEqual({ hrp: "local", bytes: address })
})

test("a checksum of bech32m is accepted", () => {
  const text = bech32m.encode("local", bech32m.toWords(address))
  expect(text).toBe("local1qqrsu9guyv4rzwplgex4gkmzd9c8wl59tf3qku")
  expect(fromBech32(text)).toEqual({ hrp: "local", bytes: address })
})

/** Results of AvalancheGo v1.14.2 for texts that do not end with a byte, behind or instead of the last bytes of the address. */
test.each([
  ["local1qqrsu9guyv4rzwplgex4gkmzd9c8wl59qzmrzgc", "7e8500"],
  ["local1qqrsu9guyv4rzwplgex4gkmzd9c8wl59pldhh42", "7e8508"],
  ["local1qqrsu9guyv4rzwplgex4gkmzd9c8wl59lghcxzn", "7e85f8"],
  ["local1qqrsu9guyv4rzwplgex4gkmzd9c8wl59qp4sh7h7", "7e850040"],
  ["local1qqrsu9guyv4rzwplgex4gkmzd9c8wl59qqp9pmnww", "7e850002"],
  ["local1qqrsu9guyv4rzwplgex4gkmzd9c8wl5xsx56u", "7e80"],
  ["local1qqrsu9guyv4rzwplgex4gkmzd9c8wlucyzc9", "7c"],
  ["local1qqrsu9guyv4rzwplgex4gkmzd9c8wf4k0ls", "00"],
])("%s is filled up with zeroes, and ends in %s", (text, end) => {
  expect(toHex(fromBech32(text).bytes)).toBe(`00070e151c232a31383f464d545b62697077${end}`)
})

test("a text without data has no bytes", () => {
  expect(fromBech32("local1jf8h34")).toEqual({ hrp: "local", bytes: new Uint8Array(0) })
  expect(fromBech32("local1l909wc5")).toEqual({ hrp: "local", bytes: Uint8Array.of(0xf8) })
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
  expect(() => fromBech32(text)).toThrow(expect.objectContaining({ code: "types.bad_bech32", avalanchegoMessage: reference }))
})
