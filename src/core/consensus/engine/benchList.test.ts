import { expect, test } from "vitest"
import type { NodeID } from "../../types/id.js"
import { Stake } from "../snowman/stake.js"
import { BenchList, defaultBenchSettings } from "./benchList.js"

const nodes = Array.from({ length: 20 }, (_, i) => `node${i}` as NodeID)
const stake = new Stake(new Map(nodes.map((nodeID) => [nodeID, 100n])))
const [a, b, c] = nodes as [NodeID, NodeID, NodeID]

function benchList(maxShare = 0.084) {
  const events: string[] = []
  const list = new BenchList(
    { ...defaultBenchSettings, maxShare },
    { benched: (nodeID) => void events.push(`+${nodeID}`), released: (nodeID) => void events.push(`-${nodeID}`) },
  )
  const fails = (nodeID: NodeID, times: number, now = 0) => {
    for (let i = 0; i < times; i++) list.observe(nodeID, true, stake, now)
  }
  const answers = (nodeID: NodeID, times: number, now = 0) => {
    for (let i = 0; i < times; i++) list.observe(nodeID, false, stake, now)
  }
  return { list, events, fails, answers }
}

test("a validator that lets more than half of its requests run out is benched, and released when it answers again", () => {
  const { list, events, fails, answers } = benchList()
  fails(a, 1)
  expect(list.isBenched(a)).toBe(false)
  fails(a, 1)
  expect([list.isBenched(a), list.benched]).toEqual([true, [a]])
  answers(a, 7)
  expect(list.isBenched(a)).toBe(true)
  answers(a, 1)
  expect(events).toEqual([`+${a}`, `-${a}`])
})

test("it is released after five minutes, with a clean slate", () => {
  const { list, events, fails } = benchList()
  fails(a, 10)
  list.tick(299_999)
  expect(list.isBenched(a)).toBe(true)
  list.tick(300_000)
  expect(list.isBenched(a)).toBe(false)
  fails(a, 1, 300_000)
  expect(events).toEqual([`+${a}`, `-${a}`])
})

test("at most a twelfth of the stake is benched; a validator that fails more often replaces one that fails less", () => {
  const { list, fails } = benchList(0.05)
  fails(a, 2)
  fails(b, 2)
  expect(list.benched).toEqual([a])
  fails(b, 1)
  expect(list.benched).toEqual([b])
  fails(c, 2)
  expect(list.benched).toEqual([b])
})

test("nodes that do not validate are not benched, and of five equal validators none is", () => {
  const { list, fails } = benchList()
  fails("stranger" as NodeID, 50)
  const five = new Stake(new Map(nodes.slice(0, 5).map((nodeID) => [nodeID, 100n])))
  for (let i = 0; i < 50; i++) list.observe(a, true, five, 0)
  expect(list.benched).toEqual([])
})
