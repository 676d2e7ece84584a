import { expect, test } from "vitest"
import type { NodeID } from "../types/id.js"
import { type Uptime, UptimeTracker } from "./uptime.js"

const node = "aa".repeat(20) as NodeID
const stranger = "bb".repeat(20) as NodeID

function given(upDuration: bigint, lastUpdated: bigint) {
  const records = new Map<NodeID, Uptime>([[node, { upDuration, lastUpdated }]])
  const start = () => new UptimeTracker({ get: (id) => records.get(id), put: (id, uptime) => records.set(id, uptime) })
  return { records, start, tracker: start() }
}

test("validators count as online before tracking begins, and afterwards while they are connected", () => {
  const { records, tracker } = given(0n, 1000n)
  tracker.connect(node, 1005n)
  expect(tracker.getUptime(node, 1010n)).toEqual({ upDuration: 10n, lastUpdated: 1010n })
  tracker.startTracking([node, stranger], 1010n)
  expect(tracker.getUptime(node, 1020n)).toEqual({ upDuration: 20n, lastUpdated: 1020n })
  tracker.disconnect(node, 1020n)
  expect(tracker.getUptime(node, 1030n)).toEqual({ upDuration: 20n, lastUpdated: 1030n })
  tracker.connect(node, 1040n)
  expect(tracker.getUptime(node, 1045n)).toEqual({ upDuration: 25n, lastUpdated: 1045n })
  expect([...records]).toEqual([[node, { upDuration: 20n, lastUpdated: 1020n }]])
})

test("the time while the node is down counts as uptime, after a stop as after a crash", () => {
  const { start, tracker } = given(0n, 1000n)
  tracker.startTracking([node], 1000n)
  tracker.stopTracking([node], 1100n)
  const next = start()
  next.startTracking([node], 1150n)
  expect(next.getUptime(node, 1160n)).toEqual({ upDuration: 50n, lastUpdated: 1160n })
  const afterCrash = start()
  expect(afterCrash.getUptime(node, 1200n)).toEqual({ upDuration: 100n, lastUpdated: 1200n })
})

test("a clock that is set back changes nothing", () => {
  const { tracker } = given(7n, 1000n)
  expect(tracker.getUptime(node, 999n)).toEqual({ upDuration: 7n, lastUpdated: 1000n })
  tracker.startTracking([node], 1000n)
  tracker.connect(node, 1050n)
  expect(tracker.getUptime(node, 1020n)).toEqual({ upDuration: 7n, lastUpdated: 1020n })
})

test("the share is the quotient of nanoseconds, and whole where no time has passed", () => {
  const { tracker } = given(149n, 1195n)
  tracker.startTracking([], 1195n)
  expect(tracker.getUptimeShare(node, 1000n, 1195n)).toBe(149 / 195)
  expect(tracker.getUptimeShare(node, 1195n, 1195n)).toBe(1)
  expect(tracker.getUptimeShare(stranger, 1000n, 1195n)).toBeUndefined()
})
