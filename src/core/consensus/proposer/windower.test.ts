import { describe, expect, test } from "vitest"
import type { NodeID } from "../../types/id.js"
import { mersenneTwister32, mersenneTwister64 } from "./mersenneTwister.js"
import { slotOf, Windower } from "./windower.js"

test("the generators give their published first numbers", () => {
  expect(mersenneTwister64(5489n).next()).toBe(14514284786278117030n)
  expect(mersenneTwister32(5489).next32()).toBe(3499211612)
})

const nodeID = (i: number) => (i + 1).toString(16).padStart(40, "0") as NodeID
const setOf = (...weights: bigint[]) => weights.map((weight, i) => ({ nodeID: nodeID(i), weight }))
const ones = (count: number) => setOf(...Array<bigint>(count).fill(1n))
const indexOf = (id: NodeID | undefined) => Number(BigInt(`0x${id}`)) - 1
const slots = (windower: Windower, count: number, from = 0n) =>
  Array.from({ length: count }, (_, i) => indexOf(windower.ownerOf(from + BigInt(i))))

// Recorded from AvalancheGo's windower, or in its own tests.
const SOURCE = 0x0002_0000_0000_0000n
const list = (text: string) => text.split(" ").map(Number)

describe("slots since Durango", () => {
  test("ten validators of equal weight", () => {
    const windower = new Windower(ones(10), 1n, SOURCE)
    expect(slots(windower, 24)).toEqual(list("2 0 9 7 0 3 3 3 3 3 4 0 6 3 2 1 6 0 5 1 9 6 0 8"))
    expect(slots(windower, 2, 720n)).toEqual([4, 6])
    const owners = Array.from({ length: 24 }, (_, slot) => windower.ownerOf(BigInt(slot)))
    expect(ones(10).map((each) => owners.indexOf(each.nodeID))).toEqual(list("1 15 0 5 10 18 12 3 23 2"))
  })
  test.each([
    [1n, "3 1 1 3 1 3 3 0"],
    [2n, "3 1 1 3 0 1 3 0"],
    [3n, "1 1 0 3 0 0 3 3"],
    [1_000_000n, "3 3 3 3 1 3 1 3"],
  ])("weights 100, 300, 50, 550 at height %i", (height, owners) => {
    expect(slots(new Windower(setOf(100n, 300n, 50n, 550n), height), 8)).toEqual(list(owners))
  })
  test.each([
    [1n, "2 0 4 3 2 4 0 2"],
    [2n, "3 3 4 0 2 1 0 2"],
  ])("the weights of the local network at height %i", (height, owners) => {
    expect(slots(new Windower(setOf(...Array<bigint>(5).fill(2_000_000_000_000_000n)), height), 8)).toEqual(list(owners))
  })
  test("other chains", () => {
    expect(slots(new Windower(ones(10), 1n, 0x0194fdc2fa2ffcc0n), 1)).toEqual([5])
    expect(slots(new Windower(ones(10), 1n, 0xfb180daf48a79ee0n), 1)).toEqual([3])
  })
  test("no validators", () => {
    expect(new Windower([], 1n).ownerOf(0n)).toBeUndefined()
  })
})

test.each([
  [SOURCE, 1n, "2 5 3 4 0 1"],
  [SOURCE, 2n, "5 1 3 4 0 2"],
  [0x0194fdc2fa2ffcc0n, 1n, "5 2 0 3 1 4"],
  [0xfb180daf48a79ee0n, 1n, "0 1 4 5 3 2"],
])("windows before Durango: source %i at height %i", (source, height, positions) => {
  const windower = new Windower(ones(6), height, source)
  expect(ones(6).map((each) => Number(windower.delayOf(each.nodeID)) / 5)).toEqual(list(positions))
  expect(windower.delayOf(nodeID(6))).toBe(30n)
})

test("slots are 5 seconds long and begin with the parent", () => {
  expect([slotOf(100n, 99n), slotOf(100n, 104n), slotOf(100n, 105n), slotOf(100n, 160n)]).toEqual([0n, 0n, 1n, 12n])
})
