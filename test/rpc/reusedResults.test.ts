import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { serviceList } from "../../src/client/services.js"
import type { Json } from "../../src/core/lib/json.js"
import { type RunningNode, startRunningNode } from "./methods/runningNode.js"

const subnet = "11111111111111111111111111111111LpoYY"
const [validator, otherValidator] = ["NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"]
const address = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
const xChain = "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed"

/**
 * Parameters for every method whose answers are sent again; `TX` is replaced by the last payment, `BLOCK` by the genesis block,
 * `ADDRESS` by the address that is paid.
 */
const questions: Readonly<Record<string, readonly Json[]>> = {
  "info.getBlockchainID": [{ alias: "X" }, { alias: "C" }],
  "info.getNetworkID": [{}],
  "info.getNetworkName": [{}],
  "info.getNodeID": [{}],
  "info.getNodeVersion": [{}],
  "info.getServices": [{}],
  "info.getTxFee": [{}],
  "info.getVMs": [{}],
  "info.isBootstrapped": [{ chain: "P" }, { chain: "X" }, { chain: "unknown" }],
  "info.upgrades": [{}],
  "platform.getAllValidatorsAt": [{ height: 0 }, { height: "proposed" }],
  "platform.getBalance": [{ addresses: [] }, { addresses: ["ADDRESS"] }],
  "platform.getBlock": [{ blockID: "BLOCK" }, { blockID: "BLOCK", encoding: "json" }, { blockID: "TX" }],
  "platform.getBlockByHeight": ["hex", "json"].flatMap((encoding) => [0, 1, 2, 3].map((height) => ({ height, encoding }))),
  "platform.getBlockchainStatus": [{ blockchainID: "P" }, { blockchainID: xChain }, { blockchainID: subnet }],
  "platform.getBlockchains": [{}, []],
  "platform.getCurrentSupply": [{}, { subnetID: subnet }],
  "platform.getCurrentValidators": [{}, { nodeIDs: [validator] }, { nodeIDs: [validator, otherValidator] }, { subnetID: xChain }],
  "platform.getFeeConfig": [{}],
  "platform.getFeeState": [{}],
  "platform.getHeight": [{}, []],
  "platform.getL1s": [{}],
  "platform.getMinStake": [{}],
  "platform.getProposedHeight": [{}],
  "platform.getRewardUTXOs": [{ txID: "TX" }],
  "platform.getStake": [{ addresses: ["ADDRESS"] }, { addresses: ["ADDRESS"], validatorsOnly: true }],
  "platform.getStakingAssetID": [{}],
  "platform.getSubnet": [{ subnetID: xChain }],
  "platform.getSubnets": [{}, { ids: [subnet] }, { ids: [xChain] }],
  "platform.getTimestamp": [{}],
  "platform.getTotalStake": [{}],
  "platform.getTx": [{ txID: "TX" }, { txID: "TX", encoding: "json" }],
  "platform.getTxStatus": [{ txID: "TX" }, { txID: xChain }, {}],
  "platform.getUTXOs": [
    { addresses: ["ADDRESS"] },
    { addresses: ["ADDRESS"], sourceChain: "X" },
    { addresses: ["ADDRESS"], limit: 1 },
  ],
  "platform.getValidatorFeeConfig": [{}],
  "platform.getValidatorFeeState": [{}],
  "platform.getValidatorsAt": [{ height: 0 }, { height: "1", subnetID: subnet }, { height: "proposed" }],
  "platform.validatedBy": [{ blockchainID: xChain }, {}],
  "platform.validates": [{}, { subnetID: xChain }],
}

test("the calls below contain every method whose results are reused", () => {
  const reused = serviceList.flatMap(({ methods }) => methods.filter(({ lifetime }) => lifetime).map(({ name }) => name))
  expect(reused.sort()).toEqual(Object.keys(questions).sort())
})

describe.each(["contract", "avalanchego"] as const)("in the dialect %s", (dialect) => {
  let reusing: RunningNode
  let plain: RunningNode
  const nodes = () => [reusing, plain]

  beforeAll(async () => {
    // The same chain twice: one node has no room for an answer that it was asked for before.
    reusing = await startRunningNode(dialect)
    plain = await startRunningNode(dialect, { cacheBytes: 640 })
  })
  afterAll(() => Promise.all(nodes().map((node) => node.stop())))

  const fund = async (amount: number) => {
    const [own, other] = await Promise.all(nodes().map((node) => node.call<{ txID: string }>("dev.fund", { address, amount })))
    expect(own).toEqual(other)
    return own!.txID
  }
  const both = (method: string, params: Json) => Promise.all(nodes().map((node) => node.call(method, params)))

  /** Asks both nodes for everything. Each question is asked three times, so that its answer is stored and sent again. */
  async function compare(txID: string): Promise<void> {
    const { block } = await reusing.call<{ block: { id: string } }>("platform.getBlockByHeight", { height: 0, encoding: "json" })
    for (const [method, list] of Object.entries(questions)) {
      for (const params of list) {
        const asked = JSON.parse(
          JSON.stringify(params).replace("TX", txID).replace("BLOCK", block.id).replace("ADDRESS", address),
        ) as Json
        const [own, expected] = await Promise.all(nodes().map((node) => node.ask(method, asked)))
        expect([method, asked, own]).toEqual([method, asked, expected])
      }
    }
  }

  test("a reused answer equals that of a node without reuse, after blocks, overrides, time travel, a revert and a reset", async () => {
    const txID = await fund(1_000_000_000)
    await compare(txID)
    await both("dev.snapshot", {})
    const later = await fund(2_000_000_000)
    await compare(later)
    await both("dev.addValidators", { count: 1 })
    await compare(later)
    await both("dev.setUptime", { nodeID: validator, percent: 75 })
    await compare(later)
    await both("dev.advanceTime", { seconds: 90_000 })
    await compare(later)
    await both("dev.revert", { id: 1 })
    await compare(later)
    await compare(await fund(3_000_000_000))
    await both("dev.reset", {})
    await compare(later)
    // Some 1,800 calls over connections of their own: 9 s on an idle machine, and more than a minute on a throttled one.
  }, 300_000)
})
