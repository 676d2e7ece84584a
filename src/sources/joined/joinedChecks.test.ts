import { expect, test } from "vitest"
import { defaultSnowParameters } from "../../core/consensus/snowman/parameters.js"
import type { Json } from "../../core/lib/json.js"
import { defaultUpgrades } from "../../core/networks/upgrades.js"
import { ANNOUNCED_VERSION } from "../../core/p2p/clientVersion.js"
import { futureUpgradeReport } from "../../core/p2p/upgradeTimes.js"
import { EMPTY_ID } from "../../core/types/id.js"
import type { StoredChain } from "../../datadir/storedChain.js"
import { joinedChecks } from "./joinedChecks.js"
import type { JoinedStatus } from "./joinedStatus.js"
import { NetworkLead } from "./networkLead.js"
import { defaultNetworkSettings } from "./networkSettings.js"

const NOW = 1_794_710_000_000

const { helicon } = defaultUpgrades.times
const validator = { nodeID: "aa", description: { upgradeTime: helicon, version: ANNOUNCED_VERSION } }
const peers = {
  sendFailRate: 0,
  validatorWeights: () =>
    new Map([
      ["aa", 60n],
      ["bb", 40n],
    ]),
}

/** Returns the checks of a node with this status. */
function checksOf(status: object) {
  const joined = {
    lastAccepted: { id: EMPTY_ID, height: 7n },
    lastAcceptedAgo: 1_500,
    steadyNow: () => NOW,
    startedAt: NOW,
    connectedStakeShare: 0.8,
    lead: new NetworkLead(),
    clockOffset: 1,
    peers: { ...peers, status: () => [{ ...validator, lastReceived: NOW - 100, lastSent: NOW - 250 }] },
    engine: { consensus: { tree: { processingCount: 2 } } },
    ...status,
  } as JoinedStatus
  return joinedChecks(joined, {
    network: defaultNetworkSettings,
    parameters: defaultSnowParameters,
    data: { rules: { upgrades: defaultUpgrades } } as StoredChain,
    wall: () => NOW,
  })
}

/** Returns the reports of the checks, by name. */
function reports(status: object): Record<string, Json> {
  return Object.fromEntries(checksOf(status).map(({ name, run }) => [name, outcomeOf(run)]))
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
  longestProcessingBlock: "0s",
  processingBlocks: 2,
  timeSinceLastBlock: "1.5s",
}

test("a node with peers and enough stake is healthy, and reports the ages of its last messages", () => {
  expect(reports({})).toEqual({
    network: { connectedPeers: 1, sendFailRate: 0, timeSinceLastMsgReceived: "100ms", timeSinceLastMsgSent: "250ms" },
    router: { longestRunningRequest: "0s", outstandingRequests: 0 },
    P: { engine: { consensus }, networking: { percentConnected: 0.8 } },
    continues: null,
    behind: { blocks: 0, time: "0s" },
    clock: { secondsAhead: 1 },
    uptime: null,
    futureupgrade: {
      localUpgradeTime: "9999-12-01T00:00:00Z",
      modeUpgradeTime: "9999-12-01T00:00:00Z",
      modeUpgradeWeightPercentage: 60,
      numUpgradeTimes: 1,
    },
  })
})

test("a node without peers, or with silent ones, is unhealthy", () => {
  expect(reports({ peers: { ...peers, status: () => [] } }).network).toBe(
    "network layer is unhealthy reason: not connected to a minimum of 1 peer(s) only 0, no messages received from network, no messages sent to network",
  )
  expect(reports({ peers: { ...peers, status: () => [{ lastReceived: NOW - 60_001, lastSent: NOW }] } }).network).toBe(
    "network layer is unhealthy reason: no messages from network received in 1m0.001s > 1m0s",
  )
})

test("a node that is connected to too little stake is unhealthy, except while it catches up", () => {
  expect(reports({ connectedStakeShare: 0.79 }).P).toBe(
    "networking: not connected to enough stake: connected to 79.000000%; required at least 80.000000%",
  )
  expect(reports({ connectedStakeShare: undefined }).P).toEqual({ engine: { consensus } })
})

test("a node whose network accepted a block that breaks a rule cannot go on, and names the rule, its flags and the way out", () => {
  const haltedBy = (rule: string) =>
    reports({ engine: { haltedBy: { height: 8n, blockID: "2abc", rule, reason: "" } } }).continues
  expect(haltedBy("tx.wrong")).toBe(
    "the network accepted block 2abc at height 8, which breaks tx.wrong here: if the nodes of the network run with other rules or upgrade times, start with the same flags and an empty --data-dir; else look for a newer version",
  )
  expect(haltedBy("rules.stake_too_short")).toContain(
    "if the nodes of the network run with another value of --min-stake-duration, --helicon-min-stake-duration, start with",
  )
})

test("a node cannot go on from the earlier time of an upgrade that the network has at another time", () => {
  const announcing = (upgradeTime: bigint) => {
    const status = () => [
      { ...validator, description: { ...validator.description, upgradeTime }, lastReceived: NOW, lastSent: NOW },
    ]
    return reports({ peers: { ...peers, status } }).continues
  }
  expect(announcing(BigInt(NOW / 1000))).toMatch(/^the time of helicon is 9999-.*: start with the network's --upgrade-file/)
  expect(announcing(BigInt(NOW / 1000 + 1))).toBeNull()
})

test("what a node cannot mend by itself takes it out of service, and a health check alone does not", () => {
  const names = checksOf({}).flatMap(({ name, questions = ["health"] }) => (questions.includes("readiness") ? [name] : []))
  expect(names).toEqual(["continues"])
})

test("a node that lacks blocks of its network for a minute is unhealthy", () => {
  const behindFor = (milliseconds: number) => {
    const lead = new NetworkLead()
    lead.note(10n, 7n, NOW - milliseconds)
    return reports({ lead }).behind
  }
  expect(behindFor(60_000)).toEqual({ blocks: 3, time: "1m0s" })
  expect(behindFor(61_000)).toBe("most of the connected stake is 3 blocks ahead, and for 1m1s > 1m0s")
})

test("a node whose clock is more than ten seconds away from those of its peers is unhealthy", () => {
  expect(reports({ clockOffset: undefined }).clock).toEqual({ secondsAhead: null })
  expect(reports({ clockOffset: -10 }).clock).toEqual({ secondsAhead: -10 })
  expect(reports({ clockOffset: -600 }).clock).toContain("this machine's clock is 600 s behind those of its peers")
  expect(reports({ clockOffset: 11 }).clock).toContain("this machine's clock is 11 s ahead of those of its peers")
})

test("a validator is unhealthy that more than a fifth of the stake saw online for too short a time for a reward", () => {
  const seenBy = (refusingStakePercentage: number) =>
    reports({
      observedUptime: {
        rewardingStakePercentage: 70,
        refusingStakePercentage,
        weightedAveragePercentage: 55.5,
        requirement: 0.9,
      },
    }).uptime
  expect(seenBy(20)).toEqual({ rewardingStakePercentage: 70, weightedAveragePercentage: 55.5 })
  expect(seenBy(20.1)).toMatch(/^validators with 20.1% of the stake saw this validator online for less than the 90% of its time/)
})

test("a node that cannot send most of its messages, or whose blocks stay undecided, is unhealthy", () => {
  const status = () => [{ lastReceived: NOW, lastSent: NOW }]
  expect(reports({ peers: { ...peers, sendFailRate: 0.95, status } }).network).toBe(
    "network layer is unhealthy reason: messages failure send rate 0.95 > 0.9",
  )
  expect(reports({ engine: { consensus: { tree: { processingCount: 257 } } } }).P).toBe(
    "engine: consensus: too many processing blocks: 257 > 256",
  )
  expect(reports({ engine: { consensus: { tree: { processingCount: 1 }, oldestIssuedAt: NOW - 30_001 } } }).P).toBe(
    "engine: consensus: block processing too long: 30.001s > 30s",
  )
})

test("a node is unhealthy three days before and after an upgrade that validators with half of the stake know and it does not", () => {
  const days = (count: number) => {
    const upgradeTime = BigInt(NOW / 1000 + count * 86_400)
    const rules = { upgrades: { ...defaultUpgrades, times: { ...defaultUpgrades.times, helicon: 1n } } }
    const newer = { nodeID: "aa", description: { upgradeTime, version: { minor: 16 } } }
    const known = { ...peers, status: () => [newer] } as never
    return outcomeOf(() => futureUpgradeReport(known, rules.upgrades, BigInt(NOW / 1000)))
  }
  expect(days(4)).toMatchObject({ timeUntilUpgrade: "96h0m0s" })
  expect([3, 1, 0.04, -1].map(days)).toEqual([
    "unknown network upgrade detected",
    "unknown network upgrade detected - update as soon as possible",
    "imminent network upgrade detected - update immediately",
    "imminent network upgrade detected - update immediately",
  ])
})

test("a time that no calendar of JavaScript has is reported as Go reads it, and does not make the check fail", () => {
  const reportOf = (upgradeTime: bigint) => {
    const newer = { nodeID: "aa", description: { upgradeTime, version: { minor: 16 } } }
    return outcomeOf(() => futureUpgradeReport({ ...peers, status: () => [newer] } as never, defaultUpgrades, BigInt(NOW / 1000)))
  }
  expect(reportOf(1n << 62n)).toMatchObject({
    modeUpgradeTime: "146138514283-06-19T07:45:04Z",
    timeUntilUpgrade: "2562047h47m16.854775807s",
  })
  expect(reportOf((1n << 64n) - 1n)).toMatchObject({ modeUpgradeTime: "1969-12-31T23:59:59Z", numUpgradeTimes: 1 })
})

test("a node with too many unanswered requests, or with one that is too old, is unhealthy", () => {
  const routerWith = (count: number, milliseconds: number) =>
    reports({ engine: { openRequests: { count, oldestSentAt: NOW - milliseconds } } }).router
  expect([routerWith(1024, 300_000), routerWith(1025, 1), routerWith(1, 300_001)]).toEqual([
    { longestRunningRequest: "5m0s", outstandingRequests: 1024 },
    "the router is not healthy reason: number of outstanding requests 1025 > 1024",
    "the router is not healthy reason: time for outstanding requests 5m0.001s > 5m0s",
  ])
})

test("a validator without incoming connections is unhealthy after ten minutes", () => {
  const status = () => [{ ...validator, lastReceived: NOW, lastSent: NOW }]
  const networkWith = (inboundCount: number, isValidator: boolean, minutes: number) =>
    reports({ peers: { ...peers, status, connections: { inboundCount } }, isValidator, startedAt: NOW - minutes * 60_000 - 1 })
      .network
  expect(networkWith(0, true, 10)).toBe("network layer is unhealthy reason: primary network validator has no inbound connections")
  const facts = (ingressConnectionCount: number, primaryNetworkValidator: boolean) => ({
    "primary network validator health": { ingressConnectionCount, primaryNetworkValidator },
  })
  expect(networkWith(1, true, 10)).toMatchObject(facts(1, true))
  expect(networkWith(0, false, 10)).toMatchObject(facts(0, false))
  expect(networkWith(0, true, 9)).toEqual({
    connectedPeers: 1,
    sendFailRate: 0,
    timeSinceLastMsgReceived: "0s",
    timeSinceLastMsgSent: "0s",
  })
})
