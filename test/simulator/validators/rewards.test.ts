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

/**
 * Five validators vote on the reward of the first staker whose time is over. `measured` is its uptime as each of them has measured it. Returns
 * the blocks that were accepted at the first two heights, the proposal and its option, by every node.
 */
function voteOnReward(seed: number, measured: readonly number[]): string[][] {
  const simulation = new Simulation(seed, END_MS - 1_500)
  const accepted = new Map<ValidatingNode, OuterBlock[]>()
  const world = {
    simulation,
    links: new DirectLinks(simulation, 100),
    network,
    accepted: (node: ValidatingNode, block: OuterBlock) => void accepted.get(node)?.push(block),
    pushed: () => {},
    uptimeOf: (node: ValidatingNode) => () => measured[keys.indexOf(node.identity)],
  }
  const nodes = keys.map((identity) => new ValidatingNode(world, identity))
  for (const node of nodes) {
    accepted.set(node, [])
    node.start()
  }
  const blocks = [...accepted.values()]
  expect(simulation.runUntil(() => blocks.every(({ length }) => length >= 2), LIMIT_MS)).toBe(true)
  expect(blocks.map(([, option]) => option?.id)).toEqual(Array(5).fill(blocks[0]?.[1]?.id))
  return blocks.map((each) => each.slice(0, 2).map(({ inner }) => inner.kind))
}

const everywhere = (option: string) => Array(5).fill(["BanffProposalBlock", option])

test("validators that saw a staker online for as long as is required commit its reward, and those that did not abort it", () => {
  expect(voteOnReward(1, Array(5).fill(0.8))).toEqual(everywhere("BanffCommitBlock"))
  expect(voteOnReward(1, Array(5).fill(0.79))).toEqual(everywhere("BanffAbortBlock"))
})

test.each([
  ["abort", [1, 0, 0, 0, 0], "BanffAbortBlock"],
  ["commit", [0, 1, 1, 1, 1], "BanffCommitBlock"],
])("one validator that measured otherwise follows the four that vote to %s", (_name, measured, option) => {
  expect(voteOnReward(1, measured)).toEqual(everywhere(option))
})

const range = seedRange([1, 5], [1, 500])

test.each(seedsIn(range, range))("validators that measured differently agree on one option: seed %i", (seed) => {
  const [first] = voteOnReward(seed, [0, 1, 0, 1, 0]) as [string[]]
  expect(["BanffCommitBlock", "BanffAbortBlock"]).toContain(first[1])
})
