import { describe, expect, test } from "vitest"
import { idOfByte, signedFixture, validTxs } from "../../../test/fixtures/txs.js"
import { flatRefusal } from "../../../test/refusal.js"
import { decode, encode } from "../codec/decode.js"
import { toJson } from "../codec/valueSink.js"
import { sha256 } from "../crypto/hash.js"
import { concatBytes, hexToBytes, toHex } from "../lib/bytes.js"
import { requireCredential } from "../rules/authorise.js"
import { idText } from "../types/id.js"
import { decodeTx, MAX_SIZE, signedTxOf, topLevelTx, txFromJson, unsignedBytesOf } from "./tx.js"
import { topLevelUnsignedTx } from "./unsignedTx.js"

const as = { hrp: "local" }

describe("a transaction", () => {
  // The reward of a validator, 42 bytes.
  const bytes = hexToBytes("0000000000143d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a700000000")
  const tx = decodeTx(bytes)

  test("is known by the hash of all its bytes, and signed without its credentials", () => {
    expect(tx).toEqual({
      unsignedTx: { kind: "RewardValidatorTx", txID: "3d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a7" },
      credentials: [],
      id: toHex(sha256(bytes)),
      bytes,
      unsignedSize: 38,
    })
    expect(unsignedBytesOf(tx)).toEqual(bytes.subarray(0, 38))
    expect(decode(topLevelUnsignedTx, unsignedBytesOf(tx))).toEqual(tx.unsignedTx)
  })

  test("put together is the same as read", () => {
    expect(signedTxOf(tx.unsignedTx, [])).toEqual(tx)
    const signed = signedFixture("BaseTx")
    expect(decodeTx(signed.bytes)).toEqual(signed)
    expect(encode(topLevelTx, signed)).toEqual(signed.bytes)
  })

  test("keeps its own bytes when the buffer it was read from changes", () => {
    const buffer = Uint8Array.from(bytes)
    const read = decodeTx(buffer)
    buffer.fill(0xff)
    expect(read).toEqual(tx)
  })

  test("may have 2 MiB, and not one byte more", () => {
    const memoOf = (size: number) => signedTxOf({ ...validTxs.BaseTx, memo: new Uint8Array(size) }, []).bytes
    const rest = memoOf(0).length
    expect(decodeTx(memoOf(MAX_SIZE - rest)).bytes.length).toBe(2_097_152)
    const larger = memoOf(MAX_SIZE - rest + 1)
    expect(flatRefusal(() => decodeTx(larger))).toMatchObject({ code: "codec.too_large", size: 2_097_153, limit: 2_097_152 })
    expect(decodeTx(larger, {}).bytes.length).toBe(2_097_153)
  })

  test("may have something else for a credential, which is not looked at before it runs", () => {
    const unsigned = bytes.subarray(0, 38)
    const owner = hexToBytes("000000010000000b00000000000000000000000000000000")
    expect(decodeTx(concatBytes(unsigned, owner)).credentials).toEqual([
      { kind: "OutputOwners", locktime: 0n, threshold: 0, addresses: [] },
    ])
  })

  test("may have a transaction with a validator for a credential, which is refused when it runs", () => {
    const unsigned = bytes.subarray(0, 38)
    const other = signedFixture("AddValidatorTx")
    const misplaced = other.bytes.subarray(2, other.unsignedSize)
    const raw = concatBytes(unsigned, hexToBytes("00000001"), misplaced)
    const read = decodeTx(raw)
    expect(read.credentials).toMatchObject([{ kind: "MisplacedTx", typeName: "*txs.AddValidatorTx", bytes: misplaced }])
    expect(signedTxOf(read.unsignedTx, read.credentials).bytes).toEqual(raw)
    expect(() => requireCredential(read.credentials[0]!)).toThrow(
      expect.objectContaining({ code: "rules.wrong_credential_type", avalanchegoMessage: "wrong credential type" }),
    )
    expect(flatRefusal(() => decodeTx(raw.subarray(0, raw.length - 1)))).toMatchObject({ code: "codec.truncated" })
  })

  test("has no other transaction for a credential", () => {
    const unsigned = bytes.subarray(0, 38)
    expect(flatRefusal(() => decodeTx(concatBytes(unsigned, hexToBytes("000000010000001000000000"))))).toMatchObject({
      code: "codec.misplaced_type",
      path: "credentials.0",
      offset: 42,
      typeID: 16,
      place: "verify.Verifiable",
    })
  })
})

describe("a transaction's JSON", () => {
  const tx = signedFixture("BaseTx")
  const json = toJson(topLevelTx, tx, as) as Record<string, unknown>

  test("gives the transaction back, with its ID or without", () => {
    expect(txFromJson(json, as)).toEqual(tx)
    const { id: _, ...withoutID } = json
    expect(txFromJson(withoutID, as)).toEqual(tx)
    expect(topLevelTx.fromJson(json, as)).toEqual(tx)
  })

  test("may have null for an empty list", () => {
    const reward = signedFixture("RewardValidatorTx")
    const given = { ...(toJson(topLevelTx, reward, as) as object), credentials: null }
    expect(txFromJson(given, as)).toEqual(reward)
  })

  test("may name the kind, which its members must then fit", () => {
    expect(txFromJson(json, as, "BaseTx")).toEqual(tx)
    expect(flatRefusal(() => txFromJson(json, as, "ExportTx"))).toEqual({
      code: "codec.missing_member",
      path: "unsignedTx.destinationChain",
    })
    expect(flatRefusal(() => txFromJson(json, as, "NoTx"))).toMatchObject({
      code: "codec.bad_json",
      expected: "a transaction; there is no kind NoTx",
    })
  })

  test.each([
    [
      "another ID",
      { ...json, id: idText(idOfByte(1)) },
      { code: "codec.bad_json", path: "id", expected: "the ID of this transaction", got: idText(idOfByte(1)) },
    ],
    ["an ID that is none", { ...json, id: 5 }, { code: "codec.bad_json", path: "id", expected: "an ID in cb58" }],
    ["a member too many", { ...json, extra: 1 }, { code: "codec.unknown_member", path: "extra" }],
    ["no credentials", { unsignedTx: json.unsignedTx }, { code: "codec.missing_member", path: "credentials" }],
    ["no transaction", { credentials: [] }, { code: "codec.missing_member", path: "unsignedTx" }],
    ["a list for the transaction", [], { code: "codec.bad_json", path: "", expected: "an object" }],
    [
      "an address of another network",
      txWithAddress("P-fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t"),
      {
        code: "codec.bad_json",
        path: "unsignedTx.outputs.0.output.addresses.0",
        expected: "an address",
        reason: "the address belongs to another network",
      },
    ],
  ])("with %s is refused", (_what, given, refusal) => {
    expect(flatRefusal(() => txFromJson(given, as))).toEqual(refusal)
  })

  function txWithAddress(address: string) {
    const output = { addresses: [address], amount: 1, locktime: 0, threshold: 1 }
    const unsigned = json.unsignedTx as { outputs: { output: object }[] }
    return { ...json, unsignedTx: { ...unsigned, outputs: [{ ...unsigned.outputs[0], output }] } }
  }
})
