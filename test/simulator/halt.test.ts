import { expect, test } from "vitest"
import { defaultSnowParameters } from "../../src/core/consensus/snowman/parameters.js"
import { idText } from "../../src/core/types/id.js"
import { peerIdentity } from "../fixtures/peerIdentity.js"
import { ChainMaker } from "./chainMaker.js"
import { followRun } from "./followRun.js"
import { simulatedGenesis } from "./simulatedGenesis.js"
import { SimulatedNetwork } from "./simulatedNetwork.js"
import { FollowingNode, ScriptedValidator } from "./simulatedNodes.js"
import { Simulation } from "./simulation.js"

const START = 1_750_000_000n
const validatorKeys = Array.from({ length: 5 }, (_, i) => peerIdentity(`validator ${i}`))
const network = simulatedGenesis(validatorKeys.map(({ nodeID }) => nodeID))

/** The same network, on which a node believes that payments cost a thousand times as much. */
const { dynamicFee } = network.rules.params
const dearFee = { ...dynamicFee, minPrice: dynamicFee.minPrice * 1_000n }
const dear = { ...network, rules: { ...network.rules, params: { ...network.rules.params, dynamicFee: dearFee } } }

/** Five validators and a node with other rules; the validators accept a block before or after the node has caught up. */
function disagreement(secondsUntilBlock: number) {
  const simulation = new Simulation(1)
  const links = new SimulatedNetwork(simulation, { minLatency: 1, maxLatency: 20, breakage: 0 })
  const validators = validatorKeys.map((identity, i) => new ScriptedValidator({ simulation, links, network }, identity, 9000 + i))
  const beacons = validatorKeys.map(({ nodeID }, i) => ({ nodeID, address: { ip: Uint8Array.of(127, 0, 0, 1), port: 9000 + i } }))
  const where = { simulation, links, network: dear }
  const node = new FollowingNode(where, peerIdentity("follower"), 9100, beacons, defaultSnowParameters)
  const block = new ChainMaker(network, validatorKeys).next(START)
  simulation.after(secondsUntilBlock * 1000, () => {
    for (const validator of validators) validator.accept(block)
  })
  simulation.after(1_000, () => node.start())
  return { simulation, node, block }
}

test.each([
  ["following", 10],
  ["bootstrapping", 0],
])("while %s, a block that the rules refuse is never accepted, whatever the votes say", (_phase, secondsUntilBlock) => {
  const { simulation, node, block } = disagreement(secondsUntilBlock)
  expect(simulation.runUntil(() => node.halted.length > 0, 60_000)).toBe(true)
  simulation.runFor(10_000)
  expect(node.halted).toMatchObject([{ height: block.height, blockID: idText(block.id), rule: "rules.insufficient_unlocked" }])
  expect(node.chain.lastAccepted.height).toBe(0n)
})

test("the same seed gives the same run, event for event", () => {
  const trace = (seed: number) => {
    const { simulation, followers } = followRun(seed)
    const heights: string[] = []
    for (let i = 0; i < 60; i++) {
      simulation.runFor(500)
      heights.push(followers.map((node) => (node.isUp ? node.chain.lastAccepted.height : "down")).join(" "))
    }
    return [simulation.eventCount, ...heights]
  }
  expect(trace(7)).toEqual(trace(7))
})
