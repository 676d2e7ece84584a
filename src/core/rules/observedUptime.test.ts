import { expect, test } from "vitest"
import type { NodeID } from "../types/id.js"
import { observedUptime } from "./observedUptime.js"

const [own, high, exact, low, silent] = ["00", "11", "22", "33", "44"].map((byte) => byte.repeat(20) as NodeID) as [
  NodeID,
  ...NodeID[],
]
const weights = [own, high, exact, low, silent].map(
  (nodeID, i) => [nodeID as NodeID, [10n, 20n, 30n, 25n, 15n][i] as bigint] as const,
)
const reports = new Map([
  [high, 100],
  [exact, 80],
  [low, 79],
])

test("a node counts its own stake as seeing it always, and a validator without a report as seeing nothing", () => {
  expect(observedUptime(own, weights, (nodeID) => reports.get(nodeID), 0.8)).toEqual({
    rewardingStakePercentage: 60,
    refusingStakePercentage: 25,
    weightedAveragePercentage: (10 * 100 + 20 * 100 + 30 * 80 + 25 * 79) / 100,
  })
})
