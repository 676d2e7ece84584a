import { expect, test } from "vitest"
import { askedChain } from "../../../test/fixtures/askedChain.js"
import { testNode } from "../../../test/fixtures/rpcNode.js"
import { idOfByte, nodeIDOfByte, signedFixture } from "../../../test/fixtures/txs.js"
import { type Block, blockOf } from "../../blocks/block.js"
import type { Json } from "../../lib/json.js"
import { toHexText } from "../../types/hexText.js"
import { EMPTY_ID, type ID, idText } from "../../types/id.js"
import type { NodePort } from "../context.js"
import { platformMethods } from "./index.js"

const chain = askedChain()
const nodeWith = (port: Partial<NodePort> = {}) => testNode({ ...chain, methods: platformMethods, port })

test("a blockchain is validated, synced, made, about to be made, or unknown", async () => {
  const coming = signedFixture("CreateChainTx")
  const other = signedFixture("BaseTx")
  const preferredTx = (txID: ID) => [coming, other].find(({ id }) => id === txID)
  const identity = { nodeID: nodeIDOfByte(0x55), publicKey: new Uint8Array(48), proofOfPossession: new Uint8Array(96), ip: "" }
  const statusOf = async (node: ReturnType<typeof nodeWith>, blockchainID: string) => {
    const { result } = await node.call("platform.getBlockchainStatus", { blockchainID }, "contract")
    expect(await node.call("platform.getBlockchainStatus", { blockchainID }, "avalanchego")).toEqual({ result })
    return (result as { status: string }).status
  }
  const validator = nodeWith({ preferredTx })
  const stranger = nodeWith({ identity })
  for (const name of ["P", "platform", idText(EMPTY_ID)]) {
    expect([await statusOf(validator, name), await statusOf(stranger, name)]).toEqual(["Validating", "Syncing"])
  }
  const { xChainID, cChainID } = chain.genesis
  for (const name of ["X", "avm", "C", "evm", idText(xChainID), idText(cChainID), idText(chain.names.blockchain.id)]) {
    expect(await statusOf(validator, name)).toBe("Created")
  }
  expect(await statusOf(validator, idText(coming.id))).toBe("Preferred")
  for (const id of [other.id, chain.names.payment.id, idOfByte(9)]) expect(await statusOf(validator, idText(id))).toBe("Unknown")
})

test("a transaction is committed, processing, dropped for a reason, or unknown", async () => {
  const waiting = idOfByte(1)
  const dropped = idOfByte(2)
  const node = nodeWith({
    txStatus: (txID) =>
      txID === waiting ? { status: "Processing" } : txID === dropped ? { status: "Dropped", reason: "no funds" } : undefined,
  })
  const statusOf = async (id: ID) => (await node.call("platform.getTxStatus", { txID: idText(id) }, "contract")).result
  expect(await statusOf(chain.names.subnet.id)).toEqual({ status: "Committed" })
  expect(await statusOf(chain.genesis.validators[0]!.id)).toEqual({ status: "Committed" })
  expect(await statusOf(waiting)).toEqual({ status: "Processing" })
  expect(await statusOf(dropped)).toEqual({ status: "Dropped", reason: "no funds" })
  expect(await statusOf(idOfByte(3))).toEqual({ status: "Unknown" })
})

test("a block is found before it is accepted, by its ID alone", async () => {
  const parent = chain.blocks.at(-1) as Block
  const block = blockOf({
    kind: "BanffStandardBlock",
    time: 1n,
    parentID: parent.id,
    height: 14n,
    txs: [signedFixture("BaseTx")],
  })
  const node = nodeWith({ processingBlock: (id) => (id === block.id ? block : undefined) })
  const ask = async (name: string, params: Json) => await node.call(`platform.${name}`, params, "contract")
  expect(await ask("getBlock", { blockID: idText(block.id) })).toEqual({
    result: { block: toHexText(block.bytes), encoding: "hex" },
  })
  const { result } = await ask("getBlock", { blockID: idText(block.id), encoding: "json" })
  expect(result).toMatchObject({ block: { id: idText(block.id), height: 14 }, encoding: "json" })
  expect((await ask("getBlockByHeight", { height: 14 })).error?.data).toEqual({ code: "platform.unknown_block", height: 14 })
})

test("a transaction is handed on as it was sent, and answered with its ID", async () => {
  const issued: ID[] = []
  const node = nodeWith({
    issueTx: async ({ id }) => {
      issued.push(id)
    },
  })
  const tx = signedFixture("BaseTx")
  const txID = idText(tx.id)
  for (const params of [{ tx: toHexText(tx.bytes) }, { tx: toHexText(tx.bytes, "hexnc"), encoding: "hexnc" }]) {
    expect(await node.call("platform.issueTx", params, "contract")).toEqual({ result: { txID } })
  }
  expect(issued).toEqual([tx.id, tx.id])
})

test("proposed is the height that the node proposes", async () => {
  const node = nodeWith({ proposedHeight: () => 6n })
  expect((await node.call("platform.getProposedHeight", {}, "contract")).result).toEqual({ height: "6" })
  for (const method of ["platform.getValidatorsAt", "platform.getAllValidatorsAt"]) {
    const subnetID = idText(chain.names.l1.id)
    const [proposed, sixth] = [
      { height: "proposed", subnetID },
      { height: 6, subnetID },
    ].map((params) => node.call(method, params, "contract"))
    expect(await proposed).toEqual(await sixth)
  }
})
