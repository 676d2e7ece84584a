import { expect, test } from "vitest"
import { changingSets, changingSubnets as subnets } from "../../../../test/fixtures/changingSets.js"
import { memberTexts, readSetAt, readStore } from "../../../../test/fixtures/readModel.js"
import { nodeIDOfByte } from "../../../../test/fixtures/txs.js"
import { isSoak } from "../../../../test/fuzz/random.js"
import { decode, encode } from "../../codec/decode.js"
import { validatorSetAt as walkedSetAt } from "../../rules/validatorSet.js"
import { Diff } from "../../state/diff.js"
import { addWeight, removeWeight } from "../../state/members.js"
import { lastSetChange, recordSetChanges } from "../../state/setChanges.js"
import { isPrimary } from "../../state/table.js"
import { allTables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import { readTables } from "../tables.js"
import { placeOfSet, segmentAt } from "./segmentAt.js"
import { setAt, setSegment } from "./setSegment.js"
import { setSegments } from "./setSegments.js"

const { store, remembered } = changingSets(1_500)

const rememberedAt = (height: bigint, subnetID: ID) => memberTexts(remembered[Number(height)]?.get(subnetID) ?? new Map())

const segmentsIn = (view: View) =>
  [...view.rows(readTables.setSegments)].map(([{ subnetID, upTo }, { from }]) => ({ subnetID, from, upTo }))

test("a segment is stored when it has many changes; each begins where the one before ended", () => {
  const segments = segmentsIn(store.latest)
  expect(segments.length).toBeGreaterThan(4)
  expect(segments.length).toBeLessThan(15)
  expect(segments.every(({ subnetID }) => subnetID === subnets[0])).toBe(true)
  expect(segments.map(({ from }) => from)).toEqual([0n, ...segments.slice(0, -1).map(({ upTo }) => upTo)])
  expect(store.latest.get(readTables.setProgress, subnets[0])?.since).toBe(segments.at(-1)?.upTo)
})

test("the set of a past height is the one of that time, and what a walk from the tip finds", () => {
  // The long run compares every height.
  for (let height = 0n; height < remembered.length; height += isSoak ? 1n : 5n) {
    for (const subnetID of subnets) {
      const expected = rememberedAt(height, subnetID)
      expect([height, subnetID, readSetAt(store.latest, subnetID, height)]).toEqual([height, subnetID, expected])
    }
  }
  for (const height of [0n, 3n, 700n, 1_499n]) {
    expect(readSetAt(store.latest, subnets[0], height)).toEqual(memberTexts(walkedSetAt(store.latest, subnets[0], height)))
  }
})

test("a segment has the set of each of its heights, stored or not", () => {
  for (let asked = 0n; asked < 1_500n; asked += 53n) {
    for (const subnetID of subnets) {
      const place = placeOfSet(store.latest, subnetID, asked)
      if (!place) continue
      const segment = segmentAt(store.latest, place)
      for (let at = segment.from; at <= place.upTo; at += 29n) {
        expect([at, memberTexts(setAt(segment, at))]).toEqual([at, rememberedAt(at, subnetID)])
      }
    }
  }
})

test("a segment that was encoded is the same, its numbers big-endian", () => {
  for (const [, segment] of store.latest.rows(readTables.setSegments)) {
    const bytes = encode(setSegment, segment)
    expect(decode(setSegment, bytes)).toEqual(segment)
    expect(Buffer.from(bytes).readBigUInt64BE()).toBe(segment.from)
  }
})

test("rebuilt segments are the same", () => {
  const again = readStore()
  const diff = new Diff(again.latest)
  for (const table of allTables.filter(isPrimary)) for (const [key, row] of store.latest.rows(table)) diff.put(table, key, row)
  again.commit(diff.edits)
  const made = new Diff(again.latest)
  for (const step of setSegments.rebuild?.(again.latest) ?? []) step(made)
  again.commit(made.edits)
  expect(segmentsIn(again.latest).length).toBeGreaterThan(4)
  for (let height = 0n; height < remembered.length; height += 17n) {
    for (const subnetID of subnets) expect(readSetAt(again.latest, subnetID, height)).toEqual(rememberedAt(height, subnetID))
  }
  for (const subnetID of subnets.slice(0, 2)) {
    const members = remembered.at(-1)?.get(subnetID)?.size
    expect(again.latest.get(readTables.setProgress, subnetID)?.members).toBe(members)
  }
})

test("a member that leaves and returns in one block has not changed, so each segment ends with a change", () => {
  const again = readStore()
  const [subnetID] = subnets
  const key = { subnetID, nodeID: nodeIDOfByte(1) }
  for (let height = 0n; height < 600n; height++) {
    const diff = new Diff(again.latest)
    if (height % 100n === 0n) addWeight(diff, { subnetID, nodeID: nodeIDOfByte(2 + Number(height / 100n)) }, 1n, undefined)
    if (height > 0n) removeWeight(diff, key, 5n)
    addWeight(diff, key, 5n, undefined)
    recordSetChanges(diff, height)
    setSegments.onState?.(diff, height, diff)
    again.commit(diff.edits)
  }
  expect(segmentsIn(again.latest)).toEqual([])
  expect(again.latest.get(readTables.setProgress, subnetID)).toEqual({ changes: 7, members: 7, since: 0n })
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
