import type { SnowParameters } from "../core/consensus/snowman/parameters.js"
import { printGoDuration, SECOND } from "../core/lib/goDuration.js"
import type { Json } from "../core/lib/json.js"
import { idText } from "../core/types/id.js"
import type { Check } from "../jsonrpc/health/monitor.js"
import type { JoinedChain } from "./joinedChain.js"

/** What is looked at. */
export interface JoinedChecks {
  readonly joined: JoinedChain
  readonly parameters: SnowParameters
  /** The machine's clock, Unix milliseconds. */
  wall(): number
}

/** So many peers there must be. */
const MIN_PEERS = 1
/** Nobody is silent for so long: pings go back and forth. */
const MAX_SILENCE_MS = 60_000
/** This part of the stake beyond a quorum must be connected. */
const STAKE_BUFFER = 0.2

/** What the health of a node says of its peers and of the chain that it follows. Names and words as in AvalancheGo. */
export function joinedChecks(options: JoinedChecks): readonly Check[] {
  return [
    { name: "network", questions: ["health"], run: () => networkReport(options) },
    { name: "P", questions: ["health"], run: () => chainReport(options) },
  ]
}

function networkReport({ joined, wall }: JoinedChecks): Json {
  const status = joined.peers?.status() ?? []
  const reasons: string[] = []
  if (status.length < MIN_PEERS) reasons.push(`not connected to a minimum of ${MIN_PEERS} peer(s) only ${status.length}`)
  const now = wall()
  const received = now - Math.max(...status.map(({ lastReceived }) => lastReceived))
  const sent = now - Math.max(...status.map(({ lastSent }) => lastSent))
  const limit = durationText(MAX_SILENCE_MS)
  if (status.length === 0) reasons.push("no messages received from network")
  else if (received > MAX_SILENCE_MS) reasons.push(`no messages from network received in ${durationText(received)} > ${limit}`)
  if (status.length > 0 && sent > MAX_SILENCE_MS)
    reasons.push(`no messages from network sent in ${durationText(sent)} > ${limit}`)
  if (reasons.length > 0) throw new Error(`network layer is unhealthy reason: ${reasons.join(", ")}`)
  return {
    connectedPeers: status.length,
    timeSinceLastMsgReceived: durationText(received),
    timeSinceLastMsgSent: durationText(sent),
  }
}

function chainReport({ joined, parameters, wall }: JoinedChecks): Json {
  const { engine, lastAccepted } = joined
  const halted = engine?.haltedBy
  if (halted) {
    throw new Error(`the network accepted block ${halted.blockID} at height ${halted.height}, which breaks ${halted.rule} here`)
  }
  const consensus = {
    lastAcceptedHeight: Number(lastAccepted.height),
    lastAcceptedID: idText(lastAccepted.id),
    processingBlocks: engine?.follower?.processingCount ?? 0,
    timeSinceLastBlock: durationText(Math.max(0, wall() - joined.lastAcceptedAt)),
  }
  const share = joined.connectedStakeShare
  // While it catches up, the validators that it knows are those of long ago.
  if (share === undefined) return { engine: { consensus } }
  const quorum = parameters.alphaConfidence / parameters.k
  const required = quorum * (1 - STAKE_BUFFER) + STAKE_BUFFER
  if (share < required) {
    const [is, least] = [share, required].map((each) => (each * 100).toFixed(6))
    throw new Error(`networking: not connected to enough stake: connected to ${is}%; required at least ${least}%`)
  }
  return { engine: { consensus }, networking: { percentConnected: share } }
}

function durationText(milliseconds: number): string {
  return printGoDuration((BigInt(Math.round(milliseconds)) * SECOND) / 1000n)
}
