import { expect, test } from "vitest"
import { concatBytes, hexToBytes, toHex } from "../core/lib/bytes.js"
import { Invalid } from "../core/lib/invalid.js"
import { readExport, writeExport } from "./user.js"

const HASH = "d5945577da671b574a2edc2349aafb27df4f6d0c6f3e2e88b27f25b51ad3680f"
const SALT = "000102030405060708090a0b0c0d0e0f"
const head = hexToBytes(`0000${HASH}${SALT}`)
const bytesOf = (hex: string) => concatBytes(head, hexToBytes(hex))
const noPairs = { hash: hexToBytes(HASH), salt: hexToBytes(SALT), pairs: [] }

test("a user without data has 54 bytes, as AvalancheGo writes them", () => {
  expect(toHex(writeExport(noPairs))).toBe(`0000${HASH}${SALT}00000000`)
  expect(readExport(bytesOf("00000000"))).toEqual(noPairs)
})

test("pairs are kept as they are, in the order of their keys; of a key that is there twice the last value stays", () => {
  const given = bytesOf(
    "00000004 00000001ff 00000001aa 00000000 00000000 0000000100 00000002beef 00000001ff 00000001bb".replaceAll(" ", ""),
  )
  const user = readExport(given)
  expect(user.pairs.map(({ key, value }) => [toHex(key), toHex(value)])).toEqual([
    ["", ""],
    ["00", "beef"],
    ["ff", "bb"],
  ])
  expect(toHex(writeExport(user)).slice(100)).toBe("0000000300000000000000000000000100" + "00000002beef" + "00000001ff00000001bb")
})

test.each([
  ["nothing", new Uint8Array(0), "couldn't unpack codec version"],
  ["one byte", hexToBytes("00"), "couldn't unpack codec version"],
  ["another version", hexToBytes("0001"), "unknown codec version"],
  ["a cut hash", hexToBytes(`0000${HASH.slice(2)}`), "packer has insufficient length for input"],
  ["a cut salt", head.slice(0, -1), "packer has insufficient length for input"],
  ["no count", head, "couldn't unmarshal slice: packer has insufficient length for input"],
  ["a cut count", bytesOf("000000"), "couldn't unmarshal slice: packer has insufficient length for input"],
  ["a missing pair", bytesOf("00000001"), "couldn't unmarshal slice: packer has insufficient length for input"],
  ["a missing value", bytesOf("000000010000000100"), "couldn't unmarshal slice: packer has insufficient length for input"],
  ["a cut key", bytesOf("00000001000000ff00"), "packer has insufficient length for input"],
  ["a cut value", bytesOf("00000001000000010000000002ff"), "packer has insufficient length for input"],
  ["a trailing byte", bytesOf("0000000000"), "trailing buffer space: read 54 provided 55"],
  [
    "too many pairs",
    bytesOf("ffffffff"),
    "max slice length exceeded; array length, 4294967295, exceeds maximum length, 2147483647",
  ],
])("an export with %s is refused in AvalancheGo's words", (_, given, reference) => {
  const refusal = refusalOf(() => readExport(given))
  expect([refusal.code, refusal.avalanchegoMessage]).toEqual(["keystore.bad_export", reference])
})

function refusalOf(action: () => unknown): Invalid {
  try {
    action()
  } catch (error) {
    if (error instanceof Invalid) return error
    throw error
  }
  throw new Error("nothing was refused")
}
