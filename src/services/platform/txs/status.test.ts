import { expect, test } from "vitest"
import { exampleChain } from "../../../../test/fixtures/exampleChain.js"
import { testNode } from "../../../../test/fixtures/rpcNode.js"
import { idOfByte, nodeIDOfByte, signedFixture } from "../../../../test/fixtures/txs.js"
import { type Block, blockOf } from "../../../core/blocks/block.js"
import type { Json } from "../../../core/lib/json.js"
import { Diff } from "../../../core/state/diff.js"
import { tables } from "../../../core/state/tables.js"
import { toHexText } from "../../../core/types/hexText.js"
import { EMPTY_ID, idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import type { NodePort } from "../../context.js"
import { platformMethods } from "../index.js"

// Cases that do not occur on a private chain, which accepts its blocks at once and validates. The others are in test/rpc/methods.
const chain = exampleChain()
const nodeWith = (port: Partial<NodePort> = {}) => testNode({ ...chain, methods: platformMethods, port })

test("a blockchain is synced where the node does not validate, and preferred while its block is not accepted", async () => {
  const [coming, other] = [idOfByte(0xc1), idOfByte(0xc2)]
  const preferred = new Diff(chain.store.latest)
  preferred.put(tables.chains, coming, { subnetID: PRIMARY_NETWORK_ID, chainName: "coming", vmID: EMPTY_ID })
  const identity = { nodeID: nodeIDOfByte(0x55), publicKey: new Uint8Array(48), proofOfPossession: new Uint8Array(96), ip: "" }
  const node = nodeWith({ preferredState: () => preferred, identity })
  const statusOf = async (blockchainID: string) => {
    const { result } = await node.call("platform.getBlockchainStatus", { blockchainID }, "contract")
    expect(await node.call("platform.getBlockchainStatus", { blockchainID }, "avalanchego")).toEqual({ result })
    return (result as { status: string }).status
  }
  for (const name of ["P", "platform", idText(EMPTY_ID)]) expect(await statusOf(name)).toBe("Syncing")
  expect([await statusOf(idText(coming)), await statusOf(idText(other))]).toEqual(["Preferred", "Unknown"])
})

test("a block is found before it is accepted, by its ID alone", async () => {
  const parent = chain.blocks.at(-1) as Block
  const txs = [signedFixture("BaseTx")]
  const block = blockOf({ kind: "BanffStandardBlock", time: 1n, parentID: parent.id, height: 14n, txs })
  const node = nodeWith({ undecidedBlock: (id) => (id === block.id ? block : undefined) })
  const ask = async (name: string, params: Json) => await node.call(`platform.${name}`, params, "contract")
  expect(await ask("getBlock", { blockID: idText(block.id) })).toEqual({
    result: { block: toHexText(block.bytes), encoding: "hex" },
  })
  const { result } = await ask("getBlock", { blockID: idText(block.id), encoding: "json" })
  expect(result).toMatchObject({ block: { id: idText(block.id), height: 14 }, encoding: "json" })
  expect((await ask("getBlockByHeight", { height: 14 })).error?.data).toEqual({ code: "platform.unknown_block", height: 14 })
})

test("proposed is the height that the node proposes", async () => {
  const node = nodeWith({ proposedHeight: () => 6n })
  expect((await node.call("platform.getProposedHeight", {}, "contract")).result).toEqual({ height: "6" })
  for (const method of ["platform.getValidatorsAt", "platform.getAllValidatorsAt"]) {
    const subnetID = idText(chain.l1)
    const [proposed, sixth] = [
      { height: "proposed", subnetID },
      { height: 6, subnetID },
    ].map((params) => node.call(method, params, "contract"))
    expect(await proposed).toEqual(await sixth)
  }
})
