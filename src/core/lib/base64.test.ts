import { expect, test } from "vitest"
import { fromBase64, toBase64 } from "./bytes.js"

test.each([0, 1, 2, 3, 4, 5, 100, 10_000])("%i bytes are the base64 of a Buffer, and its bytes again", (size) => {
  const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 167 + (i >> 8)) & 0xff)
  const text = toBase64(bytes)
  expect(text).toBe(Buffer.from(bytes).toString("base64"))
  expect(fromBase64(text)).toEqual(bytes)
})

test.each([
  "A",
  "AA",
  "AAA",
  "AA=",
  "AA===",
  "====",
  "AB==",
  "AAB=",
  "AA==A",
  "A A=",
  "AA\n==",
  "-_==",
  "\u0141A==",
  "\ud800AA=",
])("%j is not base64 as it is printed", (text) => expect(fromBase64(text)).toBeUndefined())
