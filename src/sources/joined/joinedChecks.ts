import type { SnowParameters } from "../../core/consensus/snowman/parameters.js"
import { printGoDuration, SECOND } from "../../core/lib/go/goDuration.js"
import type { Json } from "../../core/lib/json.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { remedyOf } from "../../core/networks/otherRules.js"
import type { Upgrades } from "../../core/networks/upgrades.js"
import { futureUpgradeReport, upgradeDifference, upgradeDifferenceText } from "../../core/p2p/upgradeTimes.js"
import { idText } from "../../core/types/id.js"
import type { Check } from "../../jsonrpc/health/monitor.js"
import type { JoinedStatus } from "./joinedStatus.js"
import type { JoinedChainOptions } from "./joinOptions.js"
import type { HealthLimits } from "./networkSettings.js"
import { COUNTS_AS_OFFLINE, NOT_VOTING } from "./validation.js"

/** The share of the stake beyond a quorum that must be connected. */
const STAKE_BUFFER = 0.2

/** The longest time for which most of the connected stake may have a block that this node has not. */
const MAX_BEHIND_MS = 60_000

/** The seconds by which the clocks of two nodes may differ: blocks from further in the future are refused. */
const MAX_CLOCK_OFFSET = 10

/** The percentage of the stake that may see a validator online for too short a time for a reward: as much as a network may miss. */
const MAX_REFUSING_STAKE = 20

/** Returns the health checks of a node's peers and of the chain that it follows. The names and texts are AvalancheGo's, but for `continues`, `behind`, `clock` and `uptime`, which it does not have. */
export function joinedChecks(
  joined: JoinedStatus,
  options: Pick<JoinedChainOptions, "network" | "parameters" | "data" | "wall">,
): readonly Check[] {
  const { network, parameters, data, wall } = options
  return [
    { name: "network", run: () => networkReport(joined, network.health) },
    { name: "router", run: () => routerReport(joined, network.health) },
    { name: "P", run: () => chainReport(joined, network.health, parameters) },
    {
      name: "continues",
      questions: ["health", "readiness"],
      run: () => requireGoingOn(joined, data.rules.upgrades, wholeSeconds(wall())),
    },
    { name: "behind", run: () => leadReport(joined) },
    { name: "clock", run: () => clockReport(joined.clockOffset) },
    { name: "uptime", run: () => uptimeReport(joined.observedUptime) },
    { name: "futureupgrade", run: () => futureUpgradeReport(joined.peers, data.rules.upgrades, wholeSeconds(wall())) },
  ]
}

function networkReport(joined: JoinedStatus, limits: HealthLimits): Json {
  const status = joined.peers?.status() ?? []
  const sendFailRate = joined.peers?.sendFailRate ?? 0
  const now = joined.steadyNow()
  const received = now - Math.max(...status.map(({ lastReceived }) => lastReceived))
  const sent = now - Math.max(...status.map(({ lastSent }) => lastSent))
  const { minPeers, maxReceiveSilenceMs, maxSendSilenceMs, maxSendFailRate } = limits
  const reasons: string[] = []
  if (status.length < minPeers) reasons.push(`not connected to a minimum of ${minPeers} peer(s) only ${status.length}`)
  if (status.length === 0) reasons.push("no messages received from network", "no messages sent to network")
  else {
    if (received > maxReceiveSilenceMs) reasons.push(silenceText("received", received, maxReceiveSilenceMs))
    if (sent > maxSendSilenceMs) reasons.push(silenceText("sent", sent, maxSendSilenceMs))
  }
  if (sendFailRate > maxSendFailRate) reasons.push(`messages failure send rate ${sendFailRate} > ${maxSendFailRate}`)
  const reachable = reachableReport(joined, now, limits.noInboundGraceMs)
  if (reachable?.primaryNetworkValidator && reachable.ingressConnectionCount === 0) {
    reasons.push("primary network validator has no inbound connections")
  }
  if (reasons.length > 0) throw new Error(`network layer is unhealthy reason: ${reasons.join(", ")}`)
  return {
    connectedPeers: status.length,
    ...(reachable && { "primary network validator health": reachable }),
    sendFailRate,
    timeSinceLastMsgReceived: durationText(received),
    timeSinceLastMsgSent: durationText(sent),
  }
}

/** Reports whether other nodes can reach this node, as a validator requires; `undefined` while that is not known yet. */
function reachableReport(joined: JoinedStatus, now: number, graceMs: number) {
  if (now - joined.startedAt <= graceMs) return undefined
  return { ingressConnectionCount: joined.peers?.connections.inboundCount ?? 0, primaryNetworkValidator: joined.isValidator }
}

function routerReport(joined: JoinedStatus, limits: HealthLimits): Json {
  const { count, oldestSentAt } = joined.engine?.openRequests ?? { count: 0, oldestSentAt: undefined }
  const longest = oldestSentAt === undefined ? 0 : joined.steadyNow() - oldestSentAt
  const { maxOpenRequests, maxOpenRequestMs } = limits
  const reasons: string[] = []
  if (count > maxOpenRequests) reasons.push(`number of outstanding requests ${count} > ${maxOpenRequests}`)
  if (longest > maxOpenRequestMs) {
    reasons.push(`time for outstanding requests ${durationText(longest)} > ${durationText(maxOpenRequestMs)}`)
  }
  if (reasons.length > 0) throw new Error(`the router is not healthy reason: ${reasons.join(", ")}`)
  return { longestRunningRequest: durationText(longest), outstandingRequests: count }
}

function silenceText(what: string, silenceMs: number, limitMs: number): string {
  return `no messages from network ${what} in ${durationText(silenceMs)} > ${durationText(limitMs)}`
}

function chainReport(joined: JoinedStatus, limits: HealthLimits, { alphaConfidence, k }: SnowParameters): Json {
  if (joined.fault !== undefined) throw new Error(`the chain met an error inside Serac: ${joined.fault}`)
  // AvalancheGo also reports a validator as unhealthy that syncs only a part of the primary network.
  if (joined.validation === "notVoting") throw new Error(`validation: ${NOT_VOTING}`)
  const consensus = consensusReport(joined, limits)
  const share = joined.connectedStakeShare
  // While it catches up, the validators that it knows are outdated.
  if (share === undefined) return { engine: { consensus } }
  const quorum = alphaConfidence / k
  const required = quorum * (1 - STAKE_BUFFER) + STAKE_BUFFER
  if (share < required) {
    const [is, least] = [share, required].map((each) => (each * 100).toFixed(6))
    throw new Error(`networking: not connected to enough stake: connected to ${is}%; required at least ${least}%`)
  }
  return { engine: { consensus }, networking: { percentConnected: share } }
}

function consensusReport(joined: JoinedStatus, limits: HealthLimits): Json {
  const { engine, lastAccepted } = joined
  const processing = engine?.consensus?.tree.processingCount ?? 0
  const oldest = engine?.consensus?.oldestIssuedAt
  const longest = oldest === undefined ? 0 : joined.steadyNow() - oldest
  const { maxProcessing, maxProcessingMs } = limits
  const reasons: string[] = []
  if (processing > maxProcessing) reasons.push(`too many processing blocks: ${processing} > ${maxProcessing}`)
  if (longest > maxProcessingMs) {
    reasons.push(`block processing too long: ${durationText(longest)} > ${durationText(maxProcessingMs)}`)
  }
  if (reasons.length > 0) throw new Error(`engine: consensus: ${reasons.join(", ")}`)
  return {
    lastAcceptedHeight: Number(lastAccepted.height),
    lastAcceptedID: idText(lastAccepted.id),
    longestProcessingBlock: durationText(longest),
    processingBlocks: processing,
    timeSinceLastBlock: durationText(joined.lastAcceptedAgo),
  }
}

/** Throws if the chain cannot be followed before an operator acts: it has stopped, or its state differs from the network's. */
function requireGoingOn({ engine, peers }: JoinedStatus, upgrades: Upgrades, now: bigint): null {
  const halted = engine?.haltedBy
  if (halted) {
    const { blockID, height, rule } = halted
    throw new Error(`the network accepted block ${blockID} at height ${height}, which breaks ${rule} here: ${remedyOf(rule)}`)
  }
  const difference = upgradeDifference(peers, upgrades)
  if (difference && difference.from <= now) throw new Error(upgradeDifferenceText(difference))
  return null
}

function leadReport(joined: JoinedStatus): Json {
  const { blocks } = joined.lead
  const behind = joined.lead.sinceMs(joined.steadyNow())
  if (behind <= MAX_BEHIND_MS) return { blocks, time: durationText(behind) }
  throw new Error(
    `most of the connected stake is ${blocks} blocks ahead, and for ${durationText(behind)} > ${durationText(MAX_BEHIND_MS)}`,
  )
}

function clockReport(offset: number | undefined): Json {
  if (offset === undefined || Math.abs(offset) <= MAX_CLOCK_OFFSET) return { secondsAhead: offset ?? null }
  const [direction, consequence] =
    offset < 0
      ? ["behind", "the node refuses new blocks until their time comes"]
      : ["ahead of", "others refuse the node's blocks"]
  throw new Error(`this machine's clock is ${Math.abs(offset)} s ${direction} those of its peers, and ${consequence}: set it`)
}

function uptimeReport(observed: JoinedStatus["observedUptime"]): Json {
  if (!observed) return null
  const { refusingStakePercentage: refusing, rewardingStakePercentage, weightedAveragePercentage } = observed
  if (refusing <= MAX_REFUSING_STAKE) return { rewardingStakePercentage, weightedAveragePercentage }
  const required = `${(observed.requirement * 100).toFixed(0)}%`
  throw new Error(
    `validators with ${refusing.toFixed(1)}% of the stake saw this validator online for less than the ${required} of its time that a reward requires, so that it and its delegators may get none: ${COUNTS_AS_OFFLINE}`,
  )
}

function durationText(milliseconds: number): string {
  return printGoDuration((BigInt(Math.round(milliseconds)) * SECOND) / 1000n)
}
