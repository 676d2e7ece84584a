import { expect, test } from "vitest"
import { defaultSnowParameters } from "../../src/core/consensus/snowman/parameters.js"
import { peerIdentity } from "../fixtures/peerIdentity.js"
import { attempts } from "../fuzz/random.js"
import { ChainMaker } from "./chainMaker.js"
import { simulatedGenesis } from "./simulatedGenesis.js"
import { SimulatedNetwork } from "./simulatedNetwork.js"
import { FollowingNode, ScriptedValidator } from "./simulatedNodes.js"
import { Simulation } from "./simulation.js"

const START = 1_750_000_000
const validatorKeys = Array.from({ length: 5 }, (_, i) => peerIdentity(`validator ${i}`))
const network = simulatedGenesis(validatorKeys.map(({ nodeID }) => nodeID))

/** A node that has followed five validators and is cut off while they accept more blocks. `beaconCount`: how many of them are its bootstrappers. */
function asleep(count: number, beaconCount = 5) {
  const simulation = new Simulation(1)
  const links = new SimulatedNetwork(simulation, { minLatency: 1, maxLatency: 20, breakage: 0 })
  // The validators share a chain, because each of thousands of blocks would be executed by each of them.
  const maker = new ChainMaker(network, validatorKeys)
  for (const [i, identity] of validatorKeys.entries())
    new ScriptedValidator({ simulation, links, network }, identity, 9000 + i, { chain: maker.chain })
  const peers = validatorKeys.map(({ nodeID }, i) => ({ nodeID, address: { ip: Uint8Array.of(127, 0, 0, 1), port: 9000 + i } }))
  const identity = peerIdentity("sleeper")
  const node = new FollowingNode({ simulation, links, network, beaconCount }, identity, 9100, peers, defaultSnowParameters)
  for (let i = 0; i < 5; i++) maker.next(BigInt(START - 100_000 + i))
  node.start()
  const isReady = () => node.engine.isBootstrapped && node.chain.lastAccepted.height === 5n
  expect(simulation.runUntil(isReady, 60_000)).toBe(true)
  links.partition([node.identity.nodeID])
  for (let i = 0; i < count; i++) maker.next(BigInt(START - 90_000 + i))
  simulation.runFor(20_000)
  const hasCaughtUp = () => node.chain.lastAccepted.id === maker.chain.lastAccepted.id && node.engine.isBootstrapped
  return { simulation, links, node, hasCaughtUp }
}

test.each([
  ["a few blocks, which it fetches one by one", 30, true],
  ["more blocks than may wait for their parents, which it fetches as when it joins", attempts(6_000), false],
])("a node that was asleep while the validators accepted %s, catches up", (_name, count, staysBootstrapped) => {
  const { simulation, links, node, hasCaughtUp } = asleep(count)
  links.heal()
  let wasBootstrapped = true
  const isDone = () => {
    wasBootstrapped &&= node.engine.isBootstrapped
    return hasCaughtUp()
  }
  expect(simulation.runUntil(isDone, 1_200_000)).toBe(true)
  expect([wasBootstrapped, node.halted]).toEqual([staysBootstrapped, []])
})

test.each([0, 1])("a node whose %i bootstrappers are gone catches up with the validators of its last state", (beaconCount) => {
  const { simulation, links, hasCaughtUp } = asleep(600, beaconCount)
  links.heal()
  links.remove(validatorKeys[0]!.nodeID)
  expect(simulation.runUntil(hasCaughtUp, 1_200_000)).toBe(true)
})

test("a node that is cut off again while it asks how far the others are keeps what it has, and goes on later", () => {
  const { simulation, links, node, hasCaughtUp } = asleep(600)
  links.heal()
  expect(simulation.runUntil(() => !node.engine.isBootstrapped, 120_000)).toBe(true)
  links.partition([node.identity.nodeID])
  expect(simulation.runUntil(() => node.engine.isBootstrapped, 60_000)).toBe(true)
  expect(node.chain.lastAccepted.height).toBe(5n)
  links.heal()
  expect(simulation.runUntil(hasCaughtUp, 1_200_000)).toBe(true)
})
