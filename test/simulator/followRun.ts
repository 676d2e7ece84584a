import type { OuterBlock } from "../../src/core/consensus/proposer/outerBlock.js"
import { defaultSnowParameters } from "../../src/core/consensus/snowman/parameters.js"
import { type PeerIdentity, peerIdentity } from "../fixtures/peerIdentity.js"
import { ChainMaker } from "./chainMaker.js"
import { liar } from "./lies.js"
import { simulatedGenesis } from "./simulatedGenesis.js"
import { SimulatedNetwork } from "./simulatedNetwork.js"
import { FollowingNode, ScriptedValidator } from "./simulatedNodes.js"
import { Simulation } from "./simulation.js"

const validatorKeys = Array.from({ length: 5 }, (_, i) => peerIdentity(`validator ${i}`))
const followerKeys = Array.from({ length: 5 }, (_, i) => peerIdentity(`follower ${i}`))
const network = simulatedGenesis(validatorKeys.map(({ nodeID }) => nodeID))
const parameters = { ...defaultSnowParameters, beta: 4 }

/** The blocks of every run, made once: 6 at first, then one after the other. */
const START = 1_750_000_000n
const maker = new ChainMaker(network, validatorKeys)
export const past: OuterBlock[] = Array.from({ length: 6 }, (_, i) => maker.next(START - 60n + BigInt(i * 6)))
export const future: OuterBlock[] = Array.from({ length: 4 }, (_, i) => maker.next(START + 4n + BigInt(i * 3)))

/**
 * A run of ten nodes: five scripted validators of which one lies and one may be slow, five of ours that join, of which one crashes, with
 * clocks that differ; messages that overtake each other, and a partition that heals.
 */
export function followRun(seed: number) {
  const simulation = new Simulation(seed)
  const { random } = simulation
  const links = new SimulatedNetwork(simulation, {
    minLatency: 1,
    maxLatency: 5 + random.fraction() * 300,
    breakage: random.fraction() * 0.002,
    reordering: random.fraction() * 0.2,
    // In every other run one honest validator is so slow that many of its answers come too late.
    slowness: new Map(random.fraction() < 0.5 ? [[(validatorKeys[3] as PeerIdentity).nodeID, random.fraction() * 3_000]] : []),
  })
  const where = { simulation, links, network }
  const validators = validatorKeys.map(
    (identity, i) => new ScriptedValidator(where, identity, 9000 + i, i === 4 ? liar(random.fork()) : undefined),
  )
  for (const validator of validators) for (const block of past) validator.accept(block, START)
  const beacons = validatorKeys.map(({ nodeID }, i) => ({ nodeID, address: { ip: Uint8Array.of(127, 0, 0, 1), port: 9000 + i } }))
  const followers = followerKeys.map((identity, i) => {
    // Clocks of nodes may differ by a minute; a block is taken from up to ten seconds in the future.
    const clockSkew = (random.fraction() - 0.5) * 50
    return new FollowingNode(where, identity, 9100 + i, beacons, parameters, clockSkew)
  })
  for (const follower of followers) simulation.after(random.fraction() * 3_000, () => follower.start())
  // Each validator learns of a decision at its own time.
  future.forEach((block, i) => {
    for (const validator of validators) {
      simulation.after(5_000 + i * 3_000 + random.fraction() * 500, () => validator.accept(block, START + 5n + BigInt(i * 3)))
    }
  })
  const victim = followers[Math.floor(random.fraction() * 5)] as FollowingNode
  simulation.after(4_000 + random.fraction() * 10_000, () => {
    victim.crash()
    simulation.after(random.fraction() * 3_000, () => victim.start())
  })
  simulation.after(7_000, () => links.partition([followerKeys[0]!.nodeID, validatorKeys[0]!.nodeID]))
  simulation.after(11_000, () => links.heal())
  return { simulation, followers }
}

/** The last block of every run. */
export const tip = future.at(-1) as OuterBlock
