import { expect, test } from "vitest"
import { readStore } from "../../test/fixtures/readModel.js"
import { idOfByte, nodeIDOfByte } from "../../test/fixtures/txs.js"
import { currentSet, type ValidatorSet, validatorSetAt as walkedSetAt } from "../rules/validatorSet.js"
import { Diff } from "../state/diff.js"
import { addWeight, removeWeight } from "../state/members.js"
import { recordSetChanges } from "../state/setChanges.js"
import { tables } from "../state/tables.js"
import type { ID } from "../types/id.js"
import { setCheckpoints } from "./setCheckpoints.js"
import { eraAround, setIn } from "./setEra.js"
import { readTables } from "./tables.js"
import { lastSetChange, validatorSetAt } from "./validatorSets.js"

const subnets = [idOfByte(0), idOfByte(7), idOfByte(8)] as const

/** A store in which sets change at random heights, and what they were at each. */
function changingSets(heights: number) {
  let state = 7
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const store = readStore()
  const remembered: Map<ID, ValidatorSet>[] = []
  for (let height = 0; height < heights; height++) {
    const diff = new Diff(store.latest)
    for (let i = next(4); i > 0; i--) {
      const key = { subnetID: subnets[next(20) === 0 ? 1 : 0] as ID, nodeID: nodeIDOfByte(1 + next(30)) }
      const member = diff.get(tables.members, key)
      if (member && next(3) === 0)
        removeWeight(diff, key, next(2) === 0 ? member.weight : BigInt(1 + next(Number(member.weight))))
      else addWeight(diff, key, BigInt(1 + next(1_000)), next(3) === 0 ? [] : [new Uint8Array(96).fill(next(100))])
    }
    recordSetChanges(diff, BigInt(height))
    setCheckpoints.settle?.(diff, BigInt(height))
    store.commit(diff.edits)
    remembered.push(new Map(subnets.map((subnetID) => [subnetID, currentSet(store.latest, subnetID)])))
  }
  return { store, remembered }
}

const { store, remembered } = changingSets(1_500)

test("whole sets are written down every so often, and not for every change", () => {
  const heights = [...store.latest.rows(readTables.setCheckpoints)].map(([{ subnetID, height }]) => [subnetID, height])
  expect(heights.length).toBeGreaterThan(4)
  expect(heights.length).toBeLessThan(15)
  expect(heights.every(([subnetID]) => subnetID === subnets[0])).toBe(true)
})

test("the set of every height is what it was, and what a walk from the tip finds", () => {
  for (const [height, sets] of remembered.entries()) {
    for (const subnetID of subnets) {
      const expected = sets.get(subnetID)
      expect([height, subnetID, validatorSetAt(store.latest, subnetID, BigInt(height))]).toEqual([height, subnetID, expected])
    }
  }
  for (const height of [0n, 3n, 700n, 1_499n]) {
    expect(validatorSetAt(store.latest, subnets[0], height)).toEqual(walkedSetAt(store.latest, subnets[0], height))
  }
})

test("an era has the set of each of its heights, and reaches further back than was asked", () => {
  for (let asked = 0n; asked < 1_500n; asked += 53n) {
    for (const subnetID of subnets) {
      const height = lastSetChange(store.latest, subnetID, asked)
      if (height === undefined) continue
      const era = eraAround(store.latest, subnetID, height)
      expect([era.from <= height, height <= era.upTo]).toEqual([true, true])
      expect(setIn(era, height)).toEqual(remembered[Number(asked)]?.get(subnetID))
      for (let at = era.from; at <= era.upTo; at += 29n) {
        expect([at, setIn(era, at)]).toEqual([at, remembered[Number(at)]?.get(subnetID)])
      }
    }
  }
  const early = eraAround(store.latest, subnets[0], lastSetChange(store.latest, subnets[0], 700n) as bigint)
  expect(Number(early.upTo - early.from)).toBeGreaterThan(100)
})

test("made anew, the whole sets give the same", () => {
  const diff = new Diff(store.latest)
  for (const [key] of store.latest.rows(readTables.setCheckpoints)) diff.delete(readTables.setCheckpoints, key)
  for (const step of setCheckpoints.resettle?.(store.latest) ?? []) step(diff)
  expect([...diff.rows(readTables.setCheckpoints)].length).toBeGreaterThan(4)
  for (let height = 0; height < remembered.length; height += 17) {
    for (const subnetID of subnets) {
      expect(validatorSetAt(diff, subnetID, BigInt(height))).toEqual(remembered[height]?.get(subnetID))
    }
  }
})

test("between two changes a set is the same", () => {
  let last: bigint | undefined
  for (const [height, sets] of remembered.entries()) {
    const before = remembered[height - 1]?.get(subnets[1])
    const hasChanged = JSON.stringify([...(before ?? [])], text) !== JSON.stringify([...(sets.get(subnets[1]) ?? [])], text)
    if (hasChanged) last = BigInt(height)
    const found = lastSetChange(store.latest, subnets[1], BigInt(height))
    if (hasChanged) expect(found).toBe(last)
    expect((found ?? -1n) >= (last ?? -1n)).toBe(true)
  }
  expect(lastSetChange(store.latest, subnets[2], 1_000n)).toBeUndefined()
})

const text = (_key: string, value: unknown) => (typeof value === "bigint" ? `${value}` : value)
