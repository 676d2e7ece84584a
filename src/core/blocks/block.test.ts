import { describe, expect, test } from "vitest"
import { blockFixture, typicalBlock } from "../../../test/fixtures/blocks.js"
import { idOfByte, signedFixture } from "../../../test/fixtures/txs.js"
import { flatRefusal } from "../../../test/refusal.js"
import { encode } from "../codec/decode.js"
import { hexToBytes, toHex } from "../lib/bytes.js"
import { printJson } from "../lib/json.js"
import { txTypes } from "../txs/index.js"
import { decodeTx } from "../txs/tx.js"
import { idText } from "../types/id.js"
import { goInterface } from "../types/registered.js"
import { type Block, blockFromJson, blockOf, blockToJson, decodeBlock, topLevelBlock, txsOf } from "./block.js"
import { blockTypes } from "./kinds.js"

const as = { hrp: "local" }
const kinds = blockTypes.map(({ kind }) => kind)

test("AvalancheGo's names of types include every kind of transaction and block, under its type ID", () => {
  const { registered, outermost } = goInterface("any")
  expect(txTypes.filter(({ kind, typeID }) => registered[typeID] !== `*txs.${kind}`).map(({ kind }) => kind)).toEqual([])
  expect(blockTypes.filter(({ kind, typeID }) => outermost?.[typeID] !== `*block.${kind}`).map(({ kind }) => kind)).toEqual([])
})

test.each(kinds)("%s is read from its bytes and from its JSON", (kind) => {
  const block = blockFixture(kind)
  expect(decodeBlock(block.bytes)).toEqual(block)
  expect(encode(topLevelBlock, block)).toEqual(block.bytes)
  expect(blockFromJson(blockToJson(block, as), as, kind)).toEqual(block)
})

test("the genesis block of Mainnet has its published ID", () => {
  const bytes = hexToBytes("0000000000023e6662fdbd88bcf4c7dd82cb4699c0807f1d7315d493bc38532697e11b2262760000000000000000")
  const block = decodeBlock(bytes)
  expect(block).toMatchObject({ kind: "ApricotCommitBlock", height: 0n })
  expect(idText(block.id)).toBe("2FUFPVPxbTpKNn39moGSzsmGroYES4NZRdw3mJgNvMkMiMHJ9e")
})

test("blocks without transactions have the sizes of the protocol", () => {
  const sizeOf = (block: Block) => block.bytes.length
  expect(sizeOf(blockFixture("ApricotAbortBlock"))).toBe(46)
  expect(sizeOf(blockFixture("BanffCommitBlock"))).toBe(54)
  expect(sizeOf(blockOf({ kind: "BanffStandardBlock", time: 1n, parentID: idOfByte(1), height: 2n, txs: [] }))).toBe(58)
})

test("a Banff proposal has its decisions before its parent, and runs them before the proposal", () => {
  const block = blockOf({
    kind: "BanffProposalBlock",
    time: 1n,
    txs: [signedFixture("RewardValidatorTx")],
    parentID: idOfByte(0xb1),
    height: 2n,
    tx: signedFixture("AdvanceTimeTx"),
  })
  expect(toHex(block.bytes)).toBe(
    [
      "0000",
      "0000001d",
      "0000000000000001",
      "00000001",
      `00000014${"71".repeat(32)}00000000`,
      "b1".repeat(32),
      "0000000000000002",
      "00000013000000006553f10000000000",
    ].join(""),
  )
  expect(txsOf(block).map(({ unsignedTx }) => unsignedTx.kind)).toEqual(["RewardValidatorTx", "AdvanceTimeTx"])
  expect(Object.keys(blockToJson(block, as) as object)).toEqual(["time", "txs", "parentID", "height", "id", "tx"])
})

test("the transactions of a block have the IDs they have by themselves", () => {
  const tx = signedFixture("BaseTx")
  const [inBlock] = txsOf(decodeBlock(blockFixture("BanffStandardBlock").bytes))
  expect(inBlock).toEqual(tx)
  for (const kind of ["ApricotAbortBlock", "ApricotCommitBlock", "BanffAbortBlock", "BanffCommitBlock"] as const) {
    expect(txsOf(blockFixture(kind))).toEqual([])
  }
})

describe("a block's JSON", () => {
  const block = typicalBlock(2)
  const json = blockToJson(block, as) as Record<string, unknown>

  test("has the members in the reference's order, each transaction with its ID", () => {
    expect(Object.keys(json)).toEqual(["time", "parentID", "height", "id", "txs"])
    expect(printJson(json.id as string)).toBe(`"${idText(block.id)}"`)
    expect((json.txs as { id: string }[]).map(({ id }) => id)).toEqual(txsOf(block).map(({ id }) => idText(id)))
  })

  test("determines the kind, except for commit and abort", () => {
    expect(blockFromJson(json, as).kind).toBe("BanffStandardBlock")
    const commit = blockToJson(blockFixture("BanffCommitBlock"), as)
    expect(flatRefusal(() => blockFromJson(commit, as))).toEqual({
      code: "codec.ambiguous_json",
      path: "",
      kinds: ["BanffAbortBlock", "BanffCommitBlock"],
    })
    const apricot = blockToJson(blockFixture("ApricotAtomicBlock"), as)
    expect(flatRefusal(() => blockFromJson(apricot, as))).toMatchObject({ kinds: ["ApricotProposalBlock", "ApricotAtomicBlock"] })
  })

  test("with the ID of another block, or of another transaction, is refused", () => {
    const other = idText(idOfByte(1))
    expect(flatRefusal(() => blockFromJson({ ...json, id: other }, as))).toEqual({
      code: "codec.bad_json",
      path: "id",
      expected: "the ID of this block",
      got: other,
    })
    const [first, second] = json.txs as object[]
    expect(flatRefusal(() => blockFromJson({ ...json, txs: [first, { ...second, id: other }] }, as))).toMatchObject({
      code: "codec.bad_json",
      path: "txs.1.id",
    })
    expect(flatRefusal(() => blockFromJson(json, as, "NoBlock"))).toMatchObject({ expected: "a block; there is no kind NoBlock" })
  })
})

test("a fault deep inside a block is named with its path and offset", () => {
  const { bytes } = typicalBlock(3)
  const size = (bytes.length - 58) / 3
  const changed = bytes.slice()
  // The type ID of the second transaction's first output: 4 + 4 + 32 of its head, 4 of the count, 32 of the asset.
  changed[58 + size + 76 + 3] = 0x2b
  expect(flatRefusal(() => decodeBlock(changed))).toEqual({
    code: "codec.unknown_type",
    path: "txs.1.unsignedTx.outputs.0.output",
    offset: 58 + size + 76,
    typeID: 0x2b,
  })
})

test("a block's type inside a block is refused by name, and inside a transaction it is none", () => {
  const tx = signedFixture("BaseTx")
  const block = blockOf({ kind: "ApricotStandardBlock", parentID: idOfByte(1), height: 1n, txs: [tx] })
  const named = block.bytes.slice()
  // The last byte of the transaction's type ID, behind the codec version, type ID, parent, height and count.
  named[2 + 4 + 32 + 8 + 4 + 3] = 0
  expect(() => decodeBlock(named)).toThrow(
    expect.objectContaining({ avalanchegoMessage: "*block.ApricotProposalBlock does not implement interface txs.UnsignedTx" }),
  )
  const alone = tx.bytes.slice()
  alone[2 + 3] = 0
  expect(() => decodeTx(alone)).toThrow(expect.objectContaining({ avalanchegoMessage: "unknown type ID 0" }))
})
