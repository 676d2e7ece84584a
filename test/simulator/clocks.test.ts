import { describe, expect, test } from "vitest"
import { defaultSnowParameters } from "../../src/core/consensus/snowman/parameters.js"
import { peerIdentity } from "../fixtures/peerIdentity.js"
import { ChainMaker } from "./chainMaker.js"
import { followRun } from "./followRun.js"
import type { Lock } from "./lockedPayment.js"
import { simulatedGenesis } from "./simulatedGenesis.js"
import { SimulatedNetwork } from "./simulatedNetwork.js"
import { FollowingNode, ScriptedValidator } from "./simulatedNodes.js"
import { Simulation } from "./simulation.js"

const START = 1_750_000_000n
const validatorKeys = Array.from({ length: 5 }, (_, i) => peerIdentity(`validator ${i}`))
const follower = peerIdentity("follower")
const network = simulatedGenesis(validatorKeys.map(({ nodeID }) => nodeID))

/** A block that clocks refuse at first, and the events around it. Times are seconds after the start. */
interface Scenario {
  /** The second in which the lock ends on the output that the block spends, and of its wrapper. */
  readonly blockAt: number
  readonly lock?: Lock["kind"]
  /** By how much the block's own time is ahead of its wrapper's. */
  readonly ahead?: bigint
  /** By how much the clock of the node is ahead. */
  readonly clockSkew?: number
  readonly nodeStartsAt?: number
  /** How long before the time of the block it is pushed to the node. */
  readonly pushedBefore?: number
  /** The network as the node knows it. */
  readonly nodeNetwork?: typeof network
}

/** Five validators with right clocks accept three blocks, and the second is special; a sixth node follows them. */
function run({ blockAt, lock, ahead, clockSkew, nodeStartsAt = 1, pushedBefore, nodeNetwork = network }: Scenario) {
  const simulation = new Simulation(1)
  const at = (seconds: number, action: () => void) => simulation.after(seconds * 1000, action)
  const links = new SimulatedNetwork(simulation, { minLatency: 1, maxLatency: 20, breakage: 0 })
  const validators = validatorKeys.map((identity, i) => new ScriptedValidator({ simulation, links, network }, identity, 9000 + i))
  const beacons = validatorKeys.map(({ nodeID }, i) => ({ nodeID, address: { ip: Uint8Array.of(127, 0, 0, 1), port: 9000 + i } }))
  const where = { simulation, links, network: nodeNetwork }
  const node = new FollowingNode(where, follower, 9100, beacons, defaultSnowParameters, clockSkew)
  const maker = new ChainMaker(network, validatorKeys)
  const until = START + BigInt(blockAt)
  const first = maker.next(START, { lock: lock && { kind: lock, until } })
  const block = maker.next(until, { ahead })
  const last = maker.next(until + 20n)
  const accepted = [first, block, last].map((each, i) => [each, [0.5, blockAt + 0.005, blockAt + 20][i] as number] as const)
  for (const validator of validators) for (const [each, seconds] of accepted) at(seconds, () => validator.accept(each))
  at(nodeStartsAt, () => node.start())
  if (pushedBefore !== undefined) at(blockAt - pushedBefore, () => validators[0]?.push(block, follower.nodeID))
  return { simulation, node }
}

const codesOf = (node: FollowingNode) => [...new Set(node.refusedByClock)]
const heightOf = (node: FollowingNode) => Number(node.chain.lastAccepted.height)

describe("a block that the network accepts and this node's clock refuses is accepted as soon as the clock allows it", () => {
  test.each([
    [-1, "owners", "rules.time_locked"],
    [-2, "stakeable", "rules.lock_not_marked"],
    [-5, "repeated", "rules.insufficient_unlocked"],
    [-9, "owners", "rules.time_locked"],
  ] as const)(
    "by a node that follows, with a clock that differs by %d s, where a lock of kind %s ends",
    (clockSkew, lock, code) => {
      const { simulation, node } = run({ blockAt: 20, lock, clockSkew })
      simulation.runFor((20 - clockSkew) * 1000 - 100)
      expect([heightOf(node), codesOf(node)]).toEqual([1, [code]])
      simulation.runFor(5_000)
      expect(heightOf(node)).toBe(2)
      simulation.runFor(30_000)
      expect([heightOf(node), node.halted]).toEqual([3, []])
    },
  )

  test("by a node that bootstraps", () => {
    const { simulation, node } = run({ blockAt: 3, lock: "owners", clockSkew: -5, nodeStartsAt: 3.01 })
    simulation.runFor(7_900)
    expect([heightOf(node), codesOf(node)]).toEqual([1, ["rules.time_locked"]])
    simulation.runFor(30_000)
    expect([heightOf(node), node.halted]).toEqual([3, []])
  })

  test.each([2, 0.05])("if a proposer's clock is ahead, and the block is pushed %d s before its lock ends", (pushedBefore) => {
    const { simulation, node } = run({ blockAt: 20, lock: "owners", pushedBefore })
    simulation.runFor(20_000)
    expect([heightOf(node), codesOf(node)]).toEqual([1, ["rules.time_locked"]])
    simulation.runFor(25_000)
    expect([heightOf(node), node.halted]).toEqual([3, []])
  })

  test("if its own time is ahead of its wrapper's, and it is pushed early", () => {
    const { simulation, node } = run({ blockAt: 20, ahead: 10n, pushedBefore: 1 })
    simulation.runFor(20_000)
    expect([heightOf(node), codesOf(node)]).toEqual([1, ["rules.time_beyond_sync_bound"]])
    simulation.runFor(25_000)
    expect([heightOf(node), node.halted]).toEqual([3, []])
  })
})

/** A run in which the node believes for some seconds that payments cost a thousand times as much. */
function dearRun(from: number, to: number) {
  const { rules } = network
  const { dynamicFee } = rules.params
  const params = {
    ...rules.params,
    get dynamicFee() {
      const seconds = simulation.now / 1000 - Number(START)
      return seconds < from || seconds >= to ? dynamicFee : { ...dynamicFee, minPrice: dynamicFee.minPrice * 1_000n }
    },
  }
  const { simulation, node } = run({ blockAt: 20, nodeNetwork: { ...network, rules: { ...rules, params } } })
  simulation.runUntil(() => node.halted.length > 0, 30_000)
  return { node, seconds: simulation.now / 1000 - Number(START) }
}

test("a node that is about to halt because of a block verifies it once more", () => {
  const { node, seconds } = dearRun(10, 60)
  expect([heightOf(node), node.halted]).toMatchObject([1, [{ height: 2n, rule: "rules.insufficient_unlocked" }]])
  const again = dearRun(10, seconds)
  expect([heightOf(again.node), again.node.halted]).toEqual([2, []])
})

test("a block that the clock refuses is verified about once in each second of the clock", () => {
  const { simulation, node } = run({ blockAt: 20, lock: "owners", clockSkew: -9 })
  simulation.runFor(35_000)
  expect(heightOf(node)).toBe(2)
  expect(node.refusedByClock.length).toBeGreaterThanOrEqual(9)
  expect(node.refusedByClock.length).toBeLessThanOrEqual(11)
})

test("every kind of refusal by the clock occurs in the seeds", () => {
  const codes = new Set<string>()
  for (const seed of [1, 2, 3]) {
    const { simulation, followers } = followRun(seed)
    simulation.runFor(30_000)
    for (const { refusedByClock } of followers) for (const code of refusedByClock) codes.add(code)
  }
  expect([...codes].sort()).toEqual([
    "rules.insufficient_unlocked",
    "rules.lock_not_marked",
    "rules.time_beyond_sync_bound",
    "rules.time_locked",
  ])
})
