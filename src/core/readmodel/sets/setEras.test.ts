import { expect, test } from "vitest"
import { changingSets, changingSubnets as subnets } from "../../../../test/fixtures/changingSets.js"
import { membersIn, toldSetAt, wordsOf } from "../../../../test/fixtures/readModel.js"
import { validatorSetAt as walkedSetAt } from "../../rules/validatorSet.js"
import { Diff } from "../../state/diff.js"
import type { View } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import { readTables } from "../tables.js"
import { eraAround } from "./pastSets.js"
import { lastSetChange } from "./setChanges.js"
import { eraIn } from "./setEra.js"
import { setEras } from "./setEras.js"

const { store, remembered } = changingSets(1_500)

const rememberedAt = (height: bigint, subnetID: ID) => wordsOf(remembered[Number(height)]?.get(subnetID) ?? new Map())

/** The eras that are written down, as stretches of heights. */
const erasIn = (view: View) =>
  [...view.rows(readTables.setEras)].map(([{ subnetID, upTo }, bytes]) => {
    const era = eraIn(bytes)
    expect(era.upTo).toBe(upTo)
    return { subnetID, from: era.from, upTo }
  })

test("eras are written down every so often, and not for every change; each begins where the one before ended", () => {
  const eras = erasIn(store.latest)
  expect(eras.length).toBeGreaterThan(4)
  expect(eras.length).toBeLessThan(15)
  expect(eras.every(({ subnetID }) => subnetID === subnets[0])).toBe(true)
  expect(eras.map(({ from }) => from)).toEqual([0n, ...eras.slice(0, -1).map(({ upTo }) => upTo)])
  expect(store.latest.get(readTables.setProgress, subnets[0])?.since).toBe(eras.at(-1)?.upTo)
})

test("the set of every height is what it was, and what a walk from the tip finds", () => {
  for (let height = 0n; height < remembered.length; height++) {
    for (const subnetID of subnets) {
      const expected = rememberedAt(height, subnetID)
      expect([height, subnetID, toldSetAt(store.latest, subnetID, height)]).toEqual([height, subnetID, expected])
    }
  }
  for (const height of [0n, 3n, 700n, 1_499n]) {
    expect(toldSetAt(store.latest, subnets[0], height)).toEqual(wordsOf(walkedSetAt(store.latest, subnets[0], height)))
  }
})

test("an era has the set of each of its heights, and reaches further back than was asked", () => {
  for (let asked = 0n; asked < 1_500n; asked += 53n) {
    for (const subnetID of subnets) {
      const height = lastSetChange(store.latest, subnetID, asked)
      if (height === undefined) continue
      const era = eraAround(store.latest, subnetID, height)
      expect([era.from <= height, height <= era.upTo]).toEqual([true, true])
      for (let at = era.from; at <= era.upTo; at += 29n) {
        expect([at, membersIn(era, at)]).toEqual([at, rememberedAt(at, subnetID)])
      }
    }
  }
  const early = eraAround(store.latest, subnets[0], lastSetChange(store.latest, subnets[0], 700n) as bigint)
  expect(Number(early.upTo - early.from)).toBeGreaterThan(100)
})

test("an era is read from bytes wherever they lie", () => {
  const [row] = store.latest.rows(readTables.setEras)
  const bytes = row?.[1] as Uint8Array
  const askew = new Uint8Array(bytes.length + 3)
  askew.set(bytes, 3)
  const { upTo } = eraIn(bytes)
  expect(membersIn(eraIn(askew.subarray(3)), upTo)).toEqual(membersIn(eraIn(bytes), upTo))
})

test("made anew, eras give the same", () => {
  const diff = new Diff(store.latest)
  for (const [key] of store.latest.rows(readTables.setEras)) diff.delete(readTables.setEras, key)
  for (const step of setEras.resettle?.(store.latest) ?? []) step(diff)
  expect(erasIn(diff).length).toBeGreaterThan(4)
  for (let height = 0n; height < remembered.length; height += 17n) {
    for (const subnetID of subnets) expect(toldSetAt(diff, subnetID, height)).toEqual(rememberedAt(height, subnetID))
  }
  for (const subnetID of subnets.slice(0, 2)) {
    const members = remembered.at(-1)?.get(subnetID)?.size
    expect(diff.get(readTables.setProgress, subnetID)?.members).toBe(members)
  }
})

test("between two changes a set is the same", () => {
  let last: bigint | undefined
  for (let height = 0n; height < remembered.length; height++) {
    const hasChanged = rememberedAt(height - 1n, subnets[1]).join() !== rememberedAt(height, subnets[1]).join()
    if (hasChanged) last = height
    const found = lastSetChange(store.latest, subnets[1], height)
    if (hasChanged) expect(found).toBe(last)
    expect((found ?? -1n) >= (last ?? -1n)).toBe(true)
  }
  expect(lastSetChange(store.latest, subnets[2], 1_000n)).toBeUndefined()
})
