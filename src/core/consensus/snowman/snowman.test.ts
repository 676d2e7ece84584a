import { expect, test } from "vitest"
import { seededRandom } from "../../../../test/simulator/random.js"
import { utf8 } from "../../lib/bytes.js"
import { type ID, idOf, type NodeID } from "../../types/id.js"
import { defaultSnowParameters } from "./parameters.js"
import { Poll, Polls } from "./poll.js"
import { Snowman } from "./snowman.js"
import { Stake } from "./stake.js"

const id = (name: string): ID => idOf(utf8(name))
const parameters = { ...defaultSnowParameters, beta: 2 }
const block = (name: string, parent: string, height: bigint) => ({ id: id(name), parentID: id(parent), height })

function tree() {
  const snowman = new Snowman(parameters, { id: id("genesis"), height: 0n })
  snowman.add(block("a", "genesis", 1n))
  snowman.add(block("b", "genesis", 1n))
  snowman.add(block("a2", "a", 2n))
  snowman.add(block("b2", "b", 2n))
  return snowman
}

const votes = (name: string, count = 20) => new Map([[id(name), count]])

test("the first child is preferred at first, and votes for descendants count for their ancestors", () => {
  const snowman = tree()
  expect(snowman.preference).toBe(id("a2"))
  expect(snowman.recordPoll(votes("b2"))).toEqual({ accepted: [], rejected: [] })
  expect(snowman.preference).toBe(id("b2"))
  expect([snowman.isPreferred(id("b")), snowman.isPreferred(id("a")), snowman.preferredAt(1n)]).toEqual([true, false, id("b")])
  expect(snowman.recordPoll(votes("b2"))).toEqual({ accepted: [id("b"), id("b2")], rejected: [id("a"), id("a2")] })
  expect([snowman.processingCount, snowman.preference]).toEqual([0, id("b2")])
})

test("a block that is not checked is never preferred, nor what follows it, and is accepted by the votes of others", () => {
  const snowman = new Snowman(parameters, { id: id("genesis"), height: 0n })
  snowman.add(block("unchecked", "genesis", 1n), false)
  snowman.add(block("on it", "unchecked", 2n))
  expect([snowman.preference, snowman.preferredAt(1n)]).toEqual([id("genesis"), undefined])
  snowman.add(block("checked", "genesis", 1n))
  expect(snowman.preference).toBe(id("checked"))
  snowman.recordPoll(votes("on it"))
  expect([snowman.preference, snowman.isPreferred(id("unchecked"))]).toEqual([id("checked"), false])
  expect(snowman.recordPoll(votes("on it")).accepted).toEqual([id("unchecked"), id("on it")])
  expect(snowman.preference).toBe(id("on it"))
})

test("a poll without a majority resets the confidence, at every level that is reached later", () => {
  const snowman = tree()
  snowman.recordPoll(votes("a2"))
  snowman.recordPoll(votes("a2", 14))
  expect(snowman.recordPoll(votes("a2"))).toEqual({ accepted: [], rejected: [] })
  expect(snowman.recordPoll(votes("a2")).accepted).toEqual([id("a"), id("a2")])
})

test("a level without a majority does not hold up the ones before it, and is reset itself", () => {
  const snowman = tree()
  snowman.recordPoll(votes("a2"))
  expect(snowman.recordPoll(votes("a")).accepted).toEqual([id("a")])
  expect(snowman.recordPoll(votes("a2")).accepted).toEqual([])
  expect(snowman.recordPoll(votes("a2")).accepted).toEqual([id("a2")])
})

const nodes = Array.from({ length: 5 }, (_, i) => i.toString(16).repeat(40) as NodeID)

test("polls end in the order in which they were started, and early where nothing can change", () => {
  const snowman = new Snowman(parameters, { id: id("genesis"), height: 0n })
  snowman.add(block("a", "genesis", 1n))
  const polls = new Polls()
  const sample = new Map(nodes.map((nodeID) => [nodeID, 4]))
  polls.start(1, new Poll(parameters, sample))
  polls.start(2, new Poll(parameters, sample))
  for (const nodeID of nodes.slice(0, 4)) polls.vote(2, nodeID, id("a"))
  expect(polls.takeFinished(snowman)).toBeUndefined()
  for (const nodeID of nodes.slice(0, 3)) polls.vote(1, nodeID, undefined)
  expect(polls.takeFinished(snowman)).toEqual(new Map())
  expect(polls.takeFinished(snowman)).toEqual(new Map([[id("a"), 16]]))
  expect(polls.count).toBe(0)
})

test("with rivals a poll ends early once one of them has won, or none can", () => {
  const snowman = tree()
  const [one, other] = [id("a"), id("b")]
  expect([snowman.rivalsOf(one), snowman.rivalsOf(id("a2"))]).toEqual([[other], []])
  const poll = new Poll(parameters, new Map(nodes.map((nodeID) => [nodeID, 4])))
  for (const nodeID of nodes.slice(0, 3)) poll.vote(nodeID, one)
  expect(poll.isFinished(snowman)).toBe(false)
  poll.vote(nodes[3] as NodeID, one)
  expect(poll.isFinished(snowman)).toBe(true)
  // Together they may still decide the bits that their IDs share, so the last vote is waited for.
  const split = new Poll(parameters, new Map(nodes.map((nodeID) => [nodeID, 4])))
  for (const nodeID of nodes.slice(0, 2)) split.vote(nodeID, one)
  for (const nodeID of nodes.slice(2, 4)) split.vote(nodeID, other)
  expect(split.isFinished(snowman)).toBe(false)
  split.vote(nodes[4] as NodeID, other)
  expect(split.isFinished(snowman)).toBe(true)
})

test("stake is drawn by weight, without drawing a unit twice", () => {
  const stake = new Stake(new Map(nodes.map((nodeID, i) => [nodeID, BigInt(10 ** i)])))
  const random = seededRandom(5)
  const drawn = new Map<NodeID, number>()
  for (let i = 0; i < 500; i++) {
    const sample = stake.sample(20, random)
    expect([...sample.values()].reduce((a, b) => a + b)).toBe(20)
    expect(sample.get(nodes[0] as NodeID) ?? 0).toBeLessThanOrEqual(1)
    for (const [nodeID, count] of sample) drawn.set(nodeID, (drawn.get(nodeID) ?? 0) + count)
  }
  expect(drawn.get(nodes[4] as NodeID)).toBeGreaterThan(8_800)
  expect(drawn.get(nodes[3] as NodeID)).toBeGreaterThan(700)
  expect(stake.sample(20_000, random).size).toBe(5)
  expect(stake.weightOfAll(nodes.slice(0, 2))).toBe(11n)
})
