import type { OuterBlock } from "../../src/core/consensus/proposer/outerBlock.js"
import { defaultSnowParameters } from "../../src/core/consensus/snowman/parameters.js"
import { type PeerIdentity, peerIdentity } from "../fixtures/peerIdentity.js"
import { ChainMaker } from "./chainMaker.js"
import { liar } from "./lies.js"
import { type Lock, lockKinds } from "./lockedPayment.js"
import { simulatedGenesis } from "./simulatedGenesis.js"
import { SimulatedNetwork } from "./simulatedNetwork.js"
import { FollowingNode, randomClockSkew, ScriptedValidator } from "./simulatedNodes.js"
import { Simulation } from "./simulation.js"

/** The certificates of all but the first have a key that is moved up by some bits: AvalancheGo reads them, so their blocks are in a chain. */
const validatorKeys = Array.from({ length: 5 }, (_, i) => peerIdentity(`validator ${i}`, i))
const followerKeys = Array.from({ length: 5 }, (_, i) => peerIdentity(`follower ${i}`))
const network = simulatedGenesis(validatorKeys.map(({ nodeID }) => nodeID))
const parameters = { ...defaultSnowParameters, beta: 4 }

/**
 * The blocks of every run, made once: 6 at first, then one after the other. Each of the later ones spends an output in the second in which its
 * lock ends, and has a time that is ahead of its wrapper's, so that nodes whose clocks are late refuse it for some seconds.
 */
const START = 1_750_000_000n
const maker = new ChainMaker(network, validatorKeys)
const futureSeconds = (i: number) => START + 4n + BigInt(i * 3)
const lockUntil = (i: number): Lock => ({ kind: lockKinds[i % lockKinds.length]!, until: futureSeconds(i) })
export const past: OuterBlock[] = Array.from({ length: 6 }, (_, i) =>
  maker.next(START - 60n + BigInt(i * 6), { lock: i === 5 ? lockUntil(0) : undefined }),
)
export const future: OuterBlock[] = Array.from({ length: 4 }, (_, i) =>
  maker.next(futureSeconds(i), { lock: lockUntil(i + 1), ahead: BigInt(4 + 2 * i) }),
)

/**
 * A run of ten nodes: five scripted validators of which one lies and one may be slow, five of ours that join, of which one crashes; a clock
 * of its own for each node; blocks that are pushed before their time; messages that overtake each other, and a partition that heals.
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
    (identity, i) =>
      new ScriptedValidator(where, identity, 9000 + i, {
        lie: i === 4 ? liar(random.fork()) : undefined,
        clockSkew: randomClockSkew(random),
      }),
  )
  for (const validator of validators) for (const block of past) validator.accept(block)
  const beacons = validatorKeys.map(({ nodeID }, i) => ({ nodeID, address: { ip: Uint8Array.of(127, 0, 0, 1), port: 9000 + i } }))
  const followers = followerKeys.map(
    (identity, i) => new FollowingNode(where, identity, 9100 + i, beacons, parameters, randomClockSkew(random)),
  )
  for (const follower of followers) simulation.after(random.fraction() * 3_000, () => follower.start())
  future.forEach((block, i) => {
    const secondsMs = Number(futureSeconds(i) - START) * 1000
    // A validator whose clock is ahead pushes the block to a node before its time.
    const proposer = validators[i] as ScriptedValidator
    const early = followerKeys[Math.floor(random.fraction() * 5)] as PeerIdentity
    simulation.after(secondsMs - random.fraction() * 4_000, () => proposer.push(block, early.nodeID))
    // Each validator learns of the decision at its own time.
    for (const validator of validators) {
      simulation.after(secondsMs + random.fraction() * 1_500, () => validator.accept(block))
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
