import { expect, test } from "vitest"
import type { NodeID } from "../../core/types/id.js"
import { clockOffset } from "./clockOffset.js"

const NOW = 1_750_000_000_000
const node = (i: number) => i.toString(16).padStart(40, "0") as NodeID

/** Peers whose clocks were ahead by these seconds ten seconds ago, when both sides had not been set. */
const peersAheadBy = (...seconds: readonly number[]) =>
  seconds.map((ahead, i) => ({ nodeID: node(i), clock: { unixSeconds: BigInt(NOW / 1000 - 10 + ahead), at: NOW - 10_000 } }))

/** The offset after the machine's clock was moved by these seconds. */
const offset = (peers: ReturnType<typeof peersAheadBy>, moved = 0, validators: readonly number[] = []) =>
  clockOffset(peers, new Map(validators.map((i) => [node(i), 1n])), { wall: NOW + moved * 1000, steady: NOW })

test("the offset is that of the median peer, also after a step of the clock", () => {
  expect(offset([])).toBeUndefined()
  expect(offset(peersAheadBy(0, 1, -1))).toBe(0)
  expect(offset(peersAheadBy(30, 30, 31, -5_000, 9_000))).toBe(-30)
  expect(offset(peersAheadBy(0, 0, 0), -600)).toBe(-600)
  expect(offset(peersAheadBy(0, 0, 0), 3_600)).toBe(3_600)
})

test("where validators are connected, only their clocks count", () => {
  expect(offset(peersAheadBy(0, 50, 50, 50), 0, [0])).toBe(0)
})
