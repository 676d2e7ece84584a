import { expect, test } from "vitest"
import { readStore } from "../../../../test/fixtures/readModel.js"
import { idOfByte } from "../../../../test/fixtures/txs.js"
import type { SegmentPlace } from "../../../core/readmodel/validatorSets/segmentAt.js"
import { Diff } from "../../../core/state/diff.js"
import { tables } from "../../../core/state/tables.js"
import { FoundSegments } from "./foundSegments.js"

/** A view with blocks whose IDs are made of a byte, by height. */
function viewOf(lastBlocks: Readonly<Record<number, number>>) {
  const view = new Diff(readStore().latest)
  for (const [height, byte] of Object.entries(lastBlocks)) view.put(tables.blockIDs, BigInt(height), idOfByte(byte))
  return view
}

const placeAt = (upTo: number, byte: number): SegmentPlace => ({
  subnetID: idOfByte(1),
  upTo: BigInt(upTo),
  lastBlock: idOfByte(byte),
  kind: "stored",
})

test("a segment is found at the heights from the lowest requested one to its end", () => {
  const found = new FoundSegments()
  const view = viewOf({ 10: 1, 20: 2 })
  const heights = () => [3, 4, 10, 11, 15, 20, 21].filter((height) => found.find(view, BigInt(height)))
  expect(heights()).toEqual([])
  found.add(placeAt(20, 2), 15n)
  expect(heights()).toEqual([15, 20])
  found.add(placeAt(10, 1), 4n)
  found.add(placeAt(20, 2), 11n)
  found.add(placeAt(20, 2), 20n)
  expect(heights()).toEqual([4, 10, 11, 15, 20])
  expect([4n, 11n].map((height) => found.find(view, height))).toEqual([placeAt(10, 1), placeAt(20, 2)])
})

test("a segment is found only in views that have its last block", () => {
  const found = new FoundSegments()
  found.add(placeAt(20, 2), 1n)
  expect([{}, { 20: 3 }].map((blocks) => found.find(viewOf(blocks), 5n))).toEqual([undefined, undefined])
  found.add(placeAt(10, 4), 1n)
  found.add(placeAt(20, 3), 1n)
  expect(found.find(viewOf({ 20: 3 }), 5n)).toEqual(placeAt(20, 3))
  expect(found.find(viewOf({ 20: 2 }), 5n)).toEqual(placeAt(20, 2))
  expect(found.find(viewOf({ 10: 4 }), 5n)).toEqual(placeAt(10, 4))
})

test("the segments that were found last remain", () => {
  const found = new FoundSegments()
  const blocks = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [10 * (i + 1), i]))
  for (const [upTo, byte] of Object.entries(blocks)) found.add(placeAt(Number(upTo), byte), BigInt(upTo))
  const view = viewOf(blocks)
  expect(Object.keys(blocks).filter((upTo) => !found.find(view, BigInt(upTo)))).toEqual(["10", "20", "30", "40", "50", "60"])
})
