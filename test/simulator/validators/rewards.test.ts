import { expect, test } from "vitest"
import type { OuterBlock } from "../../../src/core/consensus/proposer/outerBlock.js"
import { tables } from "../../../src/core/state/tables.js"
import { valuesOf } from "../../../src/core/state/view.js"
import { peerIdentity } from "../../fixtures/peerIdentity.js"
import { seedRange, seedsIn } from "../seedRange.js"
import { simulatedGenesis } from "../simulatedGenesis.js"
import { Simulation } from "../simulation.js"
import { DirectLinks } from "./directLinks.js"
import { ValidatingNode } from "./validatingNode.js"

const keys = Array.from({ length: 5 }, (_, i) => peerIdentity(`validator ${i}`))
const network = simulatedGenesis(keys.map(({ nodeID }) => nodeID))
const [staker] = [...valuesOf(network.newStore().latest.rows(tables.currentStakers))]
const END_MS = Number((staker as { endTime: bigint }).endTime) * 1000

/** Longer than any of these votes takes, milliseconds. */
const LIMIT_MS = 60_000

const REQUIRED = 0.8

interface Vote {
  readonly simulation: Simulation
  readonly nodes: readonly ValidatingNode[]
  /** The blocks that each node has accepted: the proposal, its option, and what follows. */
  readonly accepted: ReadonlyMap<ValidatingNode, OuterBlock[]>
}

/** Starts five validators shortly before the time of the first staker is over. Each asks for its uptime as this node has measured it. */
function startVote(seed: number, uptimeOf: (node: ValidatingNode) => number | undefined): Vote {
  const simulation = new Simulation(seed, END_MS - 1_500)
  const accepted = new Map<ValidatingNode, OuterBlock[]>()
  const world = {
    simulation,
    links: new DirectLinks(simulation, 100),
    network,
    accepted: (node: ValidatingNode, block: OuterBlock) => void accepted.get(node)?.push(block),
    pushed: () => {},
    uptimeOf: (node: ValidatingNode) => () => uptimeOf(node),
  }
  const nodes = keys.map((identity) => new ValidatingNode(world, identity))
  for (const node of nodes) {
    accepted.set(node, [])
    node.start()
  }
  return { simulation, nodes, accepted }
}

/** Runs until all nodes have accepted an option, and returns what each of them has accepted at the first two heights. */
function outcomeOf({ simulation, accepted }: Vote): string[][] {
  const blocks = [...accepted.values()]
  expect(simulation.runUntil(() => blocks.every(({ length }) => length >= 2), LIMIT_MS)).toBe(true)
  expect(blocks.map(([, option]) => option?.id)).toEqual(Array(5).fill(blocks[0]?.[1]?.id))
  return blocks.map((each) => each.slice(0, 2).map(({ inner }) => inner.kind))
}

/** Five validators vote on the reward of a staker; `measured` is its uptime as each of them has measured it. */
function voteOnReward(seed: number, measured: readonly number[]): string[][] {
  return outcomeOf(startVote(seed, ({ identity }) => measured[keys.indexOf(identity)]))
}

/**
 * Validators are killed together at random times, and when the first of them has accepted an option. They come back at random, and most of
 * them measure another uptime then, because the time without them counts as online.
 */
function voteWithKills(seed: number): string[][] {
  const lives = new Map<ValidatingNode, number>()
  const vote = startVote(seed, (node) => lives.get(node))
  const { simulation, nodes, accepted } = vote
  const { random } = simulation
  let isOnline = false
  const measure = (node: ValidatingNode) => lives.set(node, random.fraction() < 0.9 === isOnline ? REQUIRED : REQUIRED - 0.01)
  for (const node of nodes) measure(node)
  const kill = (share: number) => {
    isOnline = !isOnline
    for (const node of nodes) {
      if (!node.isUp || accepted.get(node)?.length === 2 || random.fraction() > share) continue
      node.crash()
      measure(node)
      simulation.after(random.fraction() * 500, () => node.start())
    }
  }
  for (let i = 0; i < 3; i++) simulation.after(1_500 + random.fraction() * 3_000, () => kill(0.7))
  expect(simulation.runUntil(() => nodes.some((node) => accepted.get(node)?.length === 2), LIMIT_MS)).toBe(true)
  kill(1)
  return outcomeOf(vote)
}

const everywhere = (option: string) => Array(5).fill(["BanffProposalBlock", option])

test("validators that saw a staker online for as long as is required commit its reward, and those that did not abort it", () => {
  expect(voteOnReward(1, Array(5).fill(REQUIRED))).toEqual(everywhere("BanffCommitBlock"))
  expect(voteOnReward(1, Array(5).fill(0.79))).toEqual(everywhere("BanffAbortBlock"))
})

test.each([
  ["abort", [1, 0, 0, 0, 0], "BanffAbortBlock"],
  ["commit", [0, 1, 1, 1, 1], "BanffCommitBlock"],
])("one validator that measured otherwise follows the four that vote to %s", (_name, measured, option) => {
  expect(voteOnReward(1, measured)).toEqual(everywhere(option))
})

const range = seedRange([1, 5], [1, 1_000])

test.each(seedsIn(range, range))("validators that measured differently agree on one option: seed %i", (seed) => {
  const [first] = voteOnReward(seed, [0, 1, 0, 1, 0]) as [string[]]
  expect(["BanffCommitBlock", "BanffAbortBlock"]).toContain(first[1])
})

test.each(seedsIn(range, range))("validators that are killed and then measure otherwise agree on one option: seed %i", (seed) => {
  const [first] = voteWithKills(seed) as [string[]]
  expect(["BanffCommitBlock", "BanffAbortBlock"]).toContain(first[1])
})

test("validators that are killed once another has accepted an option vote for it again, although they measure otherwise now", () => {
  let measured = REQUIRED - 0.01
  const vote = startVote(1, () => measured)
  const { simulation, nodes, accepted } = vote
  const isDone = (node: ValidatingNode) => accepted.get(node)?.length === 2
  expect(simulation.runUntil(() => nodes.some(isDone), LIMIT_MS)).toBe(true)
  const killed = nodes.filter((node) => !isDone(node))
  for (const node of killed) node.crash()
  measured = REQUIRED
  for (const node of killed) node.start()
  expect(killed.length).toBeGreaterThan(2)
  expect(outcomeOf(vote)).toEqual(everywhere("BanffAbortBlock"))
})
