import { expect, test } from "vitest"
import { local } from "../../core/networks/local.js"
import { defaultUpgrades } from "../../core/networks/upgrades.js"
import type { NodeID } from "../../core/types/id.js"
import { JoinedStatus } from "./joinedStatus.js"

const START = 1_750_000_000
const [own, early, late] = ["00", "11", "22"].map((byte) => byte.repeat(20) as NodeID) as [NodeID, NodeID, NodeID]

/** The status of a validator whose stake began at START, with peers that reported its uptime so many seconds later. */
function statusOf(isValidator: boolean): JoinedStatus {
  const latest = { get: () => (isValidator ? { startTime: BigInt(START) } : undefined) }
  const options = {
    store: { latest },
    identity: { nodeID: own },
    wall: () => START * 1000,
    data: { rules: { upgrades: defaultUpgrades, params: local.params } },
  }
  const status = new JoinedStatus(options as never, () => START * 1000, undefined as never)
  const report = (nodeID: NodeID, percent: number, seconds: number) => ({
    nodeID,
    uptimeReport: { percent, at: (START + seconds) * 1000 },
  })
  status.opened = {
    peers: {
      status: () => [report(early, 0, 59), report(late, 42, 60)],
      validatorWeights: () => new Map([own, early, late].map((nodeID) => [nodeID, 20n])),
    },
  } as never
  return status
}

test("reports of a validator's uptime count from a minute after its start, when all nodes know it", () => {
  expect(statusOf(true).observedUptime).toEqual({
    rewardingStakePercentage: 100 / 3,
    refusingStakePercentage: 100 / 3,
    weightedAveragePercentage: 142 / 3,
    requirement: 0.8,
  })
  expect(statusOf(false).observedUptime).toBeUndefined()
})
