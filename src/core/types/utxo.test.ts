import { expect, test } from "vitest"
import { AVAX, idOfByte, outputOf } from "../../../test/fixtures/txs.js"
import { encode } from "../codec/decode.js"
import { sha256Hex } from "../crypto/hash.js"
import { concatBytes, hexToBytes, toHex } from "../lib/bytes.js"
import { EMPTY_ID, idText, parseID } from "./id.js"
import { parseUtxoReference, prefixedID, topLevelUtxo, utxoID, utxoReference } from "./utxo.js"

test("a UTXO's ID is made of its index and its transaction", () => {
  const txID = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" as typeof EMPTY_ID
  expect(utxoID(txID, 0)).toBe("f4b32977b259a87e6f264a88303ce62961dcac4902c739b89cf9c16bcc955eb6")
  expect(utxoID(txID, 1)).toBe("fab69ae5a169653b318a6e2e3927fb96f6e79fec0d6e20b95de273c02b7f0200")
  for (const index of [0, 1, 0x100, 0x1_0000, 0xffff_ffff]) expect(utxoID(txID, index)).toBe(prefixedID(BigInt(index), txID))
  expect(prefixedID(2n ** 64n - 1n, txID)).toBe(sha256Hex(concatBytes(new Uint8Array(8).fill(255), hexToBytes(txID))))
  expect(idText(prefixedID(2022n, EMPTY_ID))).toBe("PkHybKBmFvBkfumRvJZToECJp4oCiziLu95p86rU1THx1WAqa")
})

test("a UTXO with one address has 118 bytes, version included", () => {
  const bytes = encode(topLevelUtxo, { txID: idOfByte(1), outputIndex: 2, assetID: AVAX, output: outputOf(3n).output })
  expect(bytes.length).toBe(118)
  expect(toHex(bytes)).toBe(
    `0000${"01".repeat(32)}00000002${AVAX}000000070000000000000003000000000000000000000001000000${"01"}${"11".repeat(20)}`,
  )
  expect(hexToBytes(toHex(bytes))).toEqual(bytes)
})

test("a UTXO is named by its transaction and index", () => {
  const reference = utxoReference(EMPTY_ID, 7)
  expect(reference).toBe("11111111111111111111111111111111LpoYY:7")
  expect(parseUtxoReference(reference)).toEqual({ txID: EMPTY_ID, outputIndex: 7 })
  expect(parseUtxoReference("11111111111111111111111111111111LpoYY:4294967295").outputIndex).toBe(4294967295)
})

test.each([
  "",
  ":",
  "a",
  "11111111111111111111111111111111LpoYY",
  "11111111111111111111111111111111LpoYY:",
  "11111111111111111111111111111111LpoYY:-1",
  "11111111111111111111111111111111LpoYY:1:2",
  "11111111111111111111111111111111LpoYY:4294967296",
  "11111111111111111111111111111111LpoYY:0x1",
])("%j names no UTXO", (text) => {
  expect(() => parseUtxoReference(text)).toThrow(expect.objectContaining({ code: "types.bad_utxo_reference" }))
})

test("a UTXO of a transaction that is none is refused for its ID", () => {
  expect(() => parseUtxoReference("nope:1")).toThrow(expect.objectContaining({ code: "types.no_checksum" }))
  expect(parseID(idText(idOfByte(9)))).toBe(idOfByte(9))
})
