import { expect, test } from "vitest"
import { defaultSnowParameters } from "../core/consensus/snowman/parameters.js"
import type { Json } from "../core/lib/json.js"
import { EMPTY_ID } from "../core/types/id.js"
import type { JoinedChain } from "./joinedChain.js"
import { joinedChecks } from "./joinedChecks.js"

const NOW = 1_794_710_000_000

/** What the checks of a node with this status say, by their name. */
function reports(status: object): Record<string, Json> {
  const joined = {
    lastAccepted: { id: EMPTY_ID, height: 7n },
    lastAcceptedAt: NOW - 1_500,
    connectedStakeShare: 0.8,
    peers: { status: () => [{ lastReceived: NOW - 100, lastSent: NOW - 250 }] },
    engine: { follower: { processingCount: 2 } },
    ...status,
  } as unknown as JoinedChain
  const checks = joinedChecks({ joined, parameters: defaultSnowParameters, wall: () => NOW })
  return Object.fromEntries(checks.map(({ name, run }) => [name, outcomeOf(run)]))
}

function outcomeOf(run: () => Json): Json {
  try {
    return run()
  } catch (error) {
    return (error as Error).message
  }
}

const consensus = {
  lastAcceptedHeight: 7,
  lastAcceptedID: "11111111111111111111111111111111LpoYY",
  processingBlocks: 2,
  timeSinceLastBlock: "1.5s",
}

test("a node with peers and enough stake is well, and says how long ago things were", () => {
  expect(reports({})).toEqual({
    network: { connectedPeers: 1, timeSinceLastMsgReceived: "100ms", timeSinceLastMsgSent: "250ms" },
    P: { engine: { consensus }, networking: { percentConnected: 0.8 } },
  })
})

test("a node without peers, or with silent ones, is ill", () => {
  expect(reports({ peers: { status: () => [] } }).network).toBe(
    "network layer is unhealthy reason: not connected to a minimum of 1 peer(s) only 0, no messages received from network",
  )
  expect(reports({ peers: { status: () => [{ lastReceived: NOW - 60_001, lastSent: NOW }] } }).network).toBe(
    "network layer is unhealthy reason: no messages from network received in 1m0.001s > 1m0s",
  )
})

test("a node that is connected to too little stake is ill; while it catches up nobody asks", () => {
  expect(reports({ connectedStakeShare: 0.79 }).P).toBe(
    "networking: not connected to enough stake: connected to 79.000000%; required at least 80.000000%",
  )
  expect(reports({ connectedStakeShare: undefined }).P).toEqual({ engine: { consensus } })
})

test("a node whose network accepted what breaks a rule here is ill, and names the rule", () => {
  const haltedBy = { height: 8n, blockID: "2abc", rule: "tx.wrong", reason: "" }
  expect(reports({ engine: { haltedBy } }).P).toBe("the network accepted block 2abc at height 8, which breaks tx.wrong here")
})
