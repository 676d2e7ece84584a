import { describe, expect, test } from "vitest"
import { idOfByte } from "../../../../test/fixtures/txs.js"
import { encode } from "../../codec/decode.js"
import { concatBytes, hexToBytes, toHex } from "../../lib/bytes.js"
import { P_CHAIN_ID } from "../id.js"
import { bitSetIndices, bitSetOf } from "./bitSet.js"
import { decodeJustification, encodeJustification } from "./justification.js"
import { decodeSignedMessage, messageIDOf, signedMessage, unsignedMessageBytes } from "./message.js"
import { decodePayload, encodePayload } from "./payload.js"
import { decodePChainMessage, encodePChainMessage } from "./pChainMessage.js"

describe("a set of signers", () => {
  test("counts from the lowest bit of the last byte", () => {
    expect(bitSetIndices(hexToBytes("04"))).toEqual([2])
    expect(bitSetIndices(hexToBytes("0100"))).toEqual([8])
    expect(bitSetIndices(hexToBytes("c44118"))).toEqual([3, 4, 8, 14, 18, 22, 23])
    expect(bitSetIndices(new Uint8Array(0))).toEqual([])
  })

  test("has one spelling", () => {
    for (const indices of [[], [0], [7], [8], [0, 9, 77], [1023]]) expect(bitSetIndices(bitSetOf(indices))).toEqual(indices)
    expect(toHex(bitSetOf([3, 4, 8, 14, 18, 22, 23]))).toBe("c44118")
    for (const padded of ["00", "0001"]) {
      expect(() => bitSetIndices(hexToBytes(padded))).toThrow(
        expect.objectContaining({ code: "types.bitset_padded", avalanchegoMessage: "bitset is invalid" }),
      )
    }
  })
})

describe("a Warp message", () => {
  const message = { networkID: 5, sourceChainID: idOfByte(0x77), payload: Uint8Array.of(1, 2) }
  const signature = { kind: "BitSetSignature", signers: Uint8Array.of(3), signature: new Uint8Array(96).fill(4) } as const

  test("starts with what was signed, bit for bit", () => {
    const bytes = encode(signedMessage, { ...message, signature })
    const unsigned = unsignedMessageBytes(message)
    expect(toHex(unsigned)).toBe(`000000000005${"77".repeat(32)}000000020102`)
    expect(bytes.subarray(0, unsigned.length)).toEqual(unsigned)
    expect(messageIDOf(decodeSignedMessage(bytes))).toBe(messageIDOf(message))
  })

  test("with a signature of another kind is none", () => {
    const bytes = concatBytes(unsignedMessageBytes(message), hexToBytes("00000001"), new Uint8Array(100))
    expect(() => decodeSignedMessage(bytes)).toThrow(
      expect.objectContaining({
        code: "codec.unknown_type",
        data: { path: "signature", offset: 44, typeID: 1 },
        avalanchegoMessage: "unknown type ID 1",
      }),
    )
  })
})

describe("a payload", () => {
  test("is a hash or a call, and has 24 KiB at most", () => {
    const call = { kind: "AddressedCall", sourceAddress: Uint8Array.of(1), payload: new Uint8Array(24_576 - 15) } as const
    expect(decodePayload(encodePayload(call))).toEqual(call)
    const larger = encodePayload({ ...call, sourceAddress: Uint8Array.of(1, 2) })
    expect(() => decodePayload(larger)).toThrow(
      expect.objectContaining({
        code: "types.payload_too_large",
        data: { size: 24_577, limit: 24_576 },
        avalanchegoMessage: "byte array exceeds maximum length: 24577 > 24576",
      }),
    )
    expect(encodePayload({ kind: "Hash", hash: P_CHAIN_ID }).length).toBe(38)
  })
})

describe("a message to or from the P-Chain", () => {
  test("has the size its kind has", () => {
    const sizes = [
      encodePChainMessage({ kind: "SubnetToL1Conversion", id: idOfByte(1) }),
      encodePChainMessage({ kind: "L1ValidatorRegistration", validationID: idOfByte(1), registered: true }),
      encodePChainMessage({ kind: "L1ValidatorWeight", validationID: idOfByte(1), nonce: 1n, weight: 2n }),
    ].map((bytes) => bytes.length)
    expect(sizes).toEqual([38, 39, 54])
  })

  test("that is neither true nor false is refused", () => {
    const bytes = encodePChainMessage({ kind: "L1ValidatorRegistration", validationID: idOfByte(1), registered: false })
    bytes[38] = 2
    expect(() => decodePChainMessage(bytes)).toThrow(
      expect.objectContaining({ code: "codec.bad_bool", data: { path: "registered", offset: 38, value: 2 } }),
    )
  })
})

describe("a justification", () => {
  const conversion = { kind: "conversion", subnetID: idOfByte(0x41), index: 5 } as const
  const registration = { kind: "registration", message: Uint8Array.of(1, 2, 3) } as const

  test("names a place in a conversion, or holds a registration", () => {
    expect(toHex(encodeJustification(conversion))).toBe(`0a240a20${"41".repeat(32)}1005`)
    expect(toHex(encodeJustification(registration))).toBe("1203010203")
    for (const value of [conversion, registration, { ...conversion, index: 0 }, { ...conversion, index: 0xffff_ffff }]) {
      expect(decodeJustification(encodeJustification(value))).toEqual(value)
    }
  })

  test("is read from its last field, and unknown fields are ignored", () => {
    const both = concatBytes(encodeJustification(registration), encodeJustification(conversion))
    expect(decodeJustification(both)).toEqual(conversion)
    const unknown = hexToBytes("1807" + "2101020304050607082d01020304" + "32020102")
    expect(decodeJustification(concatBytes(unknown, encodeJustification(registration), unknown))).toEqual(registration)
  })

  test.each([
    ["", "types.empty_justification"],
    ["1807", "types.empty_justification"],
    ["0a", "types.bad_justification"],
    ["0affffffffffffffffffff01", "types.bad_justification"],
    ["0a05", "types.bad_justification"],
    ["0a8080808080808080800100", "types.bad_justification"],
    ["00", "types.bad_justification"],
    ["0b", "types.bad_justification"],
    ["0a020a00", "types.justification_subnet"],
    ["0a00", "types.justification_subnet"],
  ])("%s is refused as %s", (hex, code) => {
    expect(() => decodeJustification(hexToBytes(hex))).toThrow(expect.objectContaining({ code }))
  })
})
