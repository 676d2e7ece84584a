import { expect, test } from "vitest"
import { peerIdentity } from "../../../../test/fixtures/peerIdentity.js"
import { ChainMaker, outerChainOf } from "../../../../test/simulator/chainMaker.js"
import { simulatedGenesis } from "../../../../test/simulator/simulatedGenesis.js"
import type { ID, NodeID } from "../../types/id.js"
import { defaultSnowParameters } from "../snowman/parameters.js"
import { Snowman } from "../snowman/snowman.js"
import { Issuer } from "./issuer.js"
import { Withholders } from "./withholders.js"

const [withholder, honest] = ["aa".repeat(20), "bb".repeat(20)] as [NodeID, NodeID]

test("a node that withheld a block is remembered for thirty seconds", () => {
  const withholders = new Withholders()
  withholders.add(withholder, 1_000)
  expect([withholders.has(withholder, 1_000), withholders.has(withholder, 30_999), withholders.has(honest, 1_000)]).toEqual([
    true,
    true,
    false,
  ])
  expect([withholders.has(withholder, 31_000), withholders.has(withholder, 30_000)]).toEqual([false, false])
})

/** An issuer without blocks, with its requests and results. */
function emptyIssuer() {
  const key = peerIdentity("validator 0")
  const network = simulatedGenesis([key.nodeID])
  const chain = outerChainOf(network, network.newStore())
  const requests: [ID, NodeID][] = []
  const resolved: ID[] = []
  const withholders = new Set<NodeID>()
  const issuer = new Issuer(chain, new Snowman(defaultSnowParameters, chain.lastAccepted), {
    nowSeconds: () => 1_750_000_000n,
    requestBlock: (id, from) => requests.push([id, from]) > 0,
    isWithholding: (nodeID) => withholders.has(nodeID),
    resolved: (id) => void resolved.push(id),
    issued: () => {},
    refused: () => {},
    optionsOf: () => [],
    stakeShareOf: () => 0,
  })
  const maker = new ChainMaker(network, [key])
  const [block, child] = [maker.next(1_750_000_000n), maker.next(1_750_000_006n)]
  return { issuer, requests, resolved, withholders, block, child }
}

test("a block of this node whose parent is not in the tree asks no node for it, and does not wait", () => {
  const { issuer, requests, resolved, block, child } = emptyIssuer()
  issuer.offer(child)
  expect([requests, resolved, issuer.isOnItsWay(child.id)]).toEqual([[], [child.id], false])
  issuer.offer(child, honest)
  expect([requests, issuer.isOnItsWay(child.id)]).toEqual([[[block.id, honest]], true])
})

test("a block that a withholding node was asked for is also asked from another node that names it", () => {
  const { issuer, requests, resolved, withholders, block } = emptyIssuer()
  issuer.ensure(block.id, withholder)
  issuer.ensure(block.id, honest)
  expect(requests).toEqual([[block.id, withholder]])
  withholders.add(withholder)
  issuer.ensure(block.id, honest)
  issuer.ensure(block.id, withholder)
  expect(requests.slice(1)).toEqual([[block.id, honest]])
  issuer.fetchFailed(block.id, withholder)
  expect([resolved, issuer.isOnItsWay(block.id)]).toEqual([[], true])
  issuer.offer(block, honest)
  expect([resolved, issuer.isKnown(block.id)]).toEqual([[block.id], true])
})
