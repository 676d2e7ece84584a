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

test.each([
  ["a few blocks, which it fetches one by one", 30, true],
  ["more blocks than may wait for their parents, which it fetches as when it joins", attempts(6_000), false],
])("a node that was asleep while the validators accepted %s, catches up", (_name, count, staysBootstrapped) => {
  const simulation = new Simulation(1)
  const links = new SimulatedNetwork(simulation, { minLatency: 1, maxLatency: 20, breakage: 0 })
  // The validators share a chain, because each of thousands of blocks would be executed by each of them.
  const maker = new ChainMaker(network, validatorKeys)
  for (const [i, identity] of validatorKeys.entries())
    new ScriptedValidator({ simulation, links, network }, identity, 9000 + i, { chain: maker.chain })
  const beacons = validatorKeys.map(({ nodeID }, i) => ({ nodeID, address: { ip: Uint8Array.of(127, 0, 0, 1), port: 9000 + i } }))
  const node = new FollowingNode({ simulation, links, network }, peerIdentity("sleeper"), 9100, beacons, defaultSnowParameters)
  for (let i = 0; i < 5; i++) maker.next(BigInt(START - 100_000 + i))
  node.start()
  expect(simulation.runUntil(() => node.engine.isBootstrapped, 60_000)).toBe(true)
  expect(node.chain.lastAccepted.height).toBe(5n)
  links.partition([node.identity.nodeID])
  for (let i = 0; i < count; i++) maker.next(BigInt(START - 90_000 + i))
  simulation.runFor(20_000)
  links.heal()
  let wasBootstrapped = true
  const hasCaughtUp = () => {
    wasBootstrapped &&= node.engine.isBootstrapped
    return node.chain.lastAccepted.id === maker.chain.lastAccepted.id && node.engine.isBootstrapped
  }
  expect(simulation.runUntil(hasCaughtUp, 1_200_000)).toBe(true)
  expect([wasBootstrapped, node.halted]).toEqual([staysBootstrapped, []])
})
