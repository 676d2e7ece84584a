import { expect, test } from "vitest"
import { nodeClient } from "../../src/client/client.js"
import { localStakers } from "../../src/core/genesis/localStakers.js"
import type { NodeID } from "../../src/core/types/id.js"
import { nodeIDText } from "../../src/core/types/id.js"
import type { ConnectedPeer } from "../../src/services/context.js"
import { fakeNode, localApi, localChain } from "../fixtures/api.js"

const [own, second, third, fourth] = localStakers.map(({ nodeID }) => nodeID) as [NodeID, NodeID, NodeID, NodeID]

/** The announcements of a peer that the answers depend on. */
function peer(nodeID: NodeID, observedUptime: number, supportedACPs: number[] = [], objectedACPs: number[] = []): ConnectedPeer {
  return {
    nodeID,
    ip: "127.0.0.1:1",
    publicIP: "127.0.0.1:1",
    version: "avalanchego/1.15.0",
    upgradeTime: 0n,
    lastSent: 0,
    lastReceived: 0,
    observedUptime,
    trackedSubnets: [],
    supportedACPs,
    objectedACPs,
    isBenched: false,
  }
}

const stranger = peer("ee".repeat(20) as NodeID, 100, [236])
/** Of five validators with 2,000,000 AVAX each, this node is the first and the fifth is not connected. */
const connected = [stranger, peer(second, 100, [236]), peer(third, 79, [236, 267]), peer(fourth, 80, [], [236])]

function call() {
  const { facts } = localChain()
  const { identity } = fakeNode()
  const node = fakeNode({ genesis: facts, identity: { ...identity, nodeID: own }, peers: () => connected })
  const { api } = localApi({ node })
  return nodeClient(async (path, body) => Buffer.concat((await api.handle(path, Buffer.from(body)))?.body ?? []).toString())
}

test("info.uptime weighs the uptimes that connected validators report for this node by their stake", async () => {
  expect(await call()("info.uptime")).toEqual({
    // 100 + 100 + 79 + 80 + 0 of five.
    weightedAveragePercentage: "71.8000",
    rewardingStakePercentage: "60.0000",
  })
})

test("info.acps adds up the stake of connected validators for and against each proposal", async () => {
  const { acps } = await call()("info.acps")
  const weight = 2_000_000_000_000_000n
  const stakeOf = (validators: bigint) => validators * weight
  expect(acps["236"]).toEqual({
    supportWeight: stakeOf(2n),
    supporters: [second, third].map(nodeIDText),
    objectWeight: stakeOf(1n),
    objectors: [nodeIDText(fourth)],
    abstainWeight: stakeOf(2n),
  })
  expect([acps["267"]?.supportWeight, acps["267"]?.abstainWeight, acps["194"]?.abstainWeight]).toEqual([
    stakeOf(1n),
    stakeOf(4n),
    stakeOf(5n),
  ])
})
