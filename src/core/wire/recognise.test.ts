import { describe, expect, test } from "vitest"
import { readRecording } from "../../../test/recordings/recordings.js"
import { refusal } from "../../../test/refusal.js"
import { blockTypes } from "../blocks/kinds.js"
import { encode } from "../codec/decode.js"
import { concatBytes, hexToBytes, toHex } from "../lib/bytes.js"
import { txTypes } from "../txs/index.js"
import { checksumOf } from "../types/cb58.js"
import { type ID, idText } from "../types/id.js"
import { unsignedMessage } from "../types/warp/message.js"
import { kindNames, otherKindsOf, recognise } from "./recognise.js"

/** A RewardValidatorTx. */
const reward = hexToBytes("0000000000143d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a700000000")
const rewardID = "fbt5Rw6Q5MLBrtaaNH9Fx9gMezowx6Ggd8zcxvKXjxkWK8qqU"

/** Block 1 of Mainnet, before there were wrappers: its type ID is also a wrapper's. */
const mainnet1 = hexToBytes(
  "000000000000a48d314805d4412cb3811f16b2a9cba11a4e9fa26b1ba3ff6e2a6cc3b0bd7a9100000000000000010000001300000000641bf2a500000000",
)

const checked = (bytes: Uint8Array) => concatBytes(bytes, checksumOf(bytes))
const nameOf = (id: ID | null) => (id === null ? null : idText(id))

test("a transaction is recognised signed and unsigned, and has an ID when signed", () => {
  const { found, hasChecksum } = recognise(reward)
  expect([found.kind, nameOf(found.id), hasChecksum]).toEqual(["RewardValidatorTx", rewardID, false])
  expect(found.toJson({})).toMatchObject({ unsignedTx: { txID: "TtF4d2QWbk5vzQGTEPrN48x6vwgAoAmKQ9cbp79inpQmcRKES" } })
  const unsigned = recognise(reward.subarray(0, -4)).found
  expect([unsigned.kind, unsigned.id, unsigned.toJson({})]).toEqual([
    "RewardValidatorTx",
    null,
    { txID: "TtF4d2QWbk5vzQGTEPrN48x6vwgAoAmKQ9cbp79inpQmcRKES" },
  ])
})

test("a checksum is taken off when it fits, and a wrong one is refused", () => {
  const { found, hasChecksum } = recognise(checked(reward))
  expect([nameOf(found.id), hasChecksum, found.bytes]).toEqual([rewardID, true, reward])
  const damaged = checked(reward)
  damaged[damaged.length - 1]! ^= 1
  expect(refusal(() => recognise(damaged))).toEqual({
    code: "types.bad_checksum",
    data: { kind: "RewardValidatorTx", expected: toHex(checksumOf(reward)), got: toHex(damaged.subarray(-4)) },
  })
})

test("a block from before the wrappers is not taken for a wrapper", () => {
  expect(recognise(mainnet1).found.kind).toBe("ApricotProposalBlock")
  expect(otherKindsOf(recognise(mainnet1).found)).toEqual([])
})

test("a ProposerVM option and a Warp message of Mainnet begin alike, and are distinguished by their content", () => {
  const parent = "11".repeat(32)
  const framed = (inner: string) => hexToBytes(`000000000001${parent}${(inner.length / 2).toString(16).padStart(8, "0")}${inner}`)
  const option = recognise(framed(`00000000001f${"00".repeat(8)}${parent}${"00".repeat(8)}`)).found
  expect([option.kind, option.inside().map(({ path, found }) => [path, found.kind])]).toEqual([
    "ProposerVMOption",
    [["block", "BanffCommitBlock"]],
  ])
  const call = recognise(framed(`000000000001${"00".repeat(8)}`)).found
  expect([call.kind, call.networkID(), call.inside().map(({ path, found }) => [path, found.kind])]).toEqual([
    "UnsignedMessage",
    1,
    [["payload", "AddressedCall"]],
  ])
  expect(recognise(framed("abcd")).found.kind).toBe("ProposerVMOption")
  expect(recognise(framed("abcd"), "UnsignedMessage").found.kind).toBe("UnsignedMessage")
})

test("bytes that fit two kinds are shown as the first, and the other is named", () => {
  const hash = hexToBytes(`000000000000${"ab".repeat(32)}`)
  const { found } = recognise(hash)
  expect([found.kind, otherKindsOf(found)]).toEqual(["Hash", ["SubnetToL1Conversion"]])
  expect(recognise(hash, "SubnetToL1Conversion").found.kind).toBe("SubnetToL1Conversion")
})

test("a Warp message is decoded down to its message to the P-Chain", () => {
  const weight = `000000000003${"cd".repeat(32)}${"0".repeat(15)}5${"0".repeat(15)}7`
  const call = hexToBytes(`00000000000100000002beef${(weight.length / 2).toString(16).padStart(8, "0")}${weight}`)
  const message = encode(unsignedMessage, { networkID: 5, sourceChainID: "22".repeat(32) as ID, payload: call })
  const [payload] = recognise(message).found.inside()
  const [order] = payload!.found.inside()
  expect([payload!.found.kind, order!.path, order!.found.kind]).toEqual(["AddressedCall", "payload", "L1ValidatorWeight"])
  expect(order!.found.toJson({})).toMatchObject({ nonce: 5n, weight: 7n })
})

test("a kind that is named is read as that kind, however its name is spelled", () => {
  expect(recognise(reward, "Tx").found.kind).toBe("RewardValidatorTx")
  expect(recognise(reward, "reward-validator tx").found.kind).toBe("RewardValidatorTx")
  expect(recognise(hexToBytes("0000001b"), "empty signer").found.kind).toBe("EmptySigner")
  expect(refusal(() => recognise(reward, "BaseTx"))).toEqual({
    code: "wire.other_kind",
    data: { expected: "BaseTx", got: "RewardValidatorTx" },
  })
  expect(refusal(() => recognise(reward, "Rewardvalidator"))).toMatchObject({
    code: "wire.unknown_kind",
    data: { kind: "Rewardvalidator" },
  })
})

test("structures that are parts of others are read with a codec version and without", () => {
  const owner = `0000000b${"00".repeat(8)}0000000100000001${"ab".repeat(20)}`
  for (const bytes of [owner, `0000${owner}`]) {
    expect([recognise(hexToBytes(bytes)).found.kind, recognise(hexToBytes(bytes), "OutputOwners").found.kind]).toEqual([
      "OutputOwners",
      "OutputOwners",
    ])
  }
})

test("unrecognised bytes are refused, with path and offset when the type ID names a kind", () => {
  expect(refusal(() => recognise(new Uint8Array(0)))).toMatchObject({ code: "codec.no_version" })
  expect(refusal(() => recognise(hexToBytes("ffff00000063")))).toEqual({
    code: "wire.unrecognised",
    data: { size: 6, version: 0xffff },
  })
  expect(refusal(() => recognise(hexToBytes("ffff00000022")))).toMatchObject({
    code: "codec.unknown_version",
    data: { version: 0xffff },
  })
  expect(refusal(() => recognise(hexToBytes("0000000000630102")))).toEqual({
    code: "wire.unrecognised",
    data: { size: 8, version: 0, typeID: 99 },
  })
  expect(refusal(() => recognise(reward.subarray(0, 20)))).toMatchObject({
    code: "codec.truncated",
    data: { as: "Tx", path: "unsignedTx.txID", offset: 6, wanted: 32, left: 14 },
  })
})

test("every transaction and block kind can be named, and no two kinds share a spelling", () => {
  const kinds = [...txTypes, ...blockTypes].map(({ kind }) => kind)
  expect(kinds.filter((kind) => !kindNames.includes(kind))).toEqual([])
  const spellings = kindNames.map((name) => name.toLowerCase())
  expect(new Set(spellings).size).toBe(spellings.length)
})

interface Vector {
  readonly name: string
  readonly kind: string
  readonly bytes?: string
  readonly error?: string
  readonly id?: string
}

/** Returns our name for the kind of a vector. */
function kindOfVector(file: string, kind: string): string | undefined {
  if (file === "utxos") return "UTXO"
  if (file === "proposervm") {
    const names: Record<string, string> = { option: "ProposerVMOption", granite: "ProposerVMGraniteBlock" }
    return kind === "header" || kind === "invalid" ? undefined : (names[kind] ?? "ProposerVMBlock")
  }
  if (file !== "warp-messages") return kind
  if (kind === "justification" || kind === "invalid") return undefined
  return kind.replace(/^(payload|message) /, "")
}

describe.each(["tx-bytes", "tx-json", "blocks", "utxos", "components", "proposervm", "warp-messages"])(
  "the recorded %s",
  (file) => {
    const vectors = readRecording<{ vectors: readonly Vector[] }>(`vectors/${file}.json`).vectors
    const known = vectors.flatMap(({ bytes, kind, name }) => {
      const expected = bytes === undefined ? undefined : kindOfVector(file, kind)
      return expected === undefined ? [] : [{ name, expected, bytes: hexToBytes(bytes as string) }]
    })

    test("are recognised by themselves, with and without checksum, and as what they are", () => {
      expect(known.length).toBeGreaterThan(0)
      for (const { name, expected, bytes } of known) {
        for (const given of [bytes, checked(bytes)]) {
          const { found, hasChecksum } = recognise(given)
          const kinds = [found.kind, ...otherKindsOf(found)].map((kind) => kind.toLowerCase())
          expect([name, kinds, hasChecksum]).toEqual([
            name,
            expect.arrayContaining([expected.toLowerCase().replaceAll(" ", "")]),
            given !== bytes,
          ])
          expect(recognise(given, expected).found.bytes).toEqual(bytes)
        }
      }
    })
  },
)
