import { RecentBlocks } from "../../core/chain/recentBlocks.js"
import type { Engine } from "../../core/consensus/engine/engine.js"
import type { OuterBlock } from "../../core/consensus/proposer/outerBlock.js"
import type { OuterChain } from "../../core/consensus/proposer/outerChain.js"
import { childTimestamp } from "../../core/consensus/proposer/wrapperRules.js"
import { max } from "../../core/lib/math64.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { clientVersionText } from "../../core/p2p/clientVersion.js"
import type { PeerStatus } from "../../core/p2p/connections.js"
import { ipPortText } from "../../core/p2p/ipPort.js"
import type { Peers } from "../../core/p2p/peers.js"
import { newEpoch } from "../../core/rules/epoch.js"
import { type ObservedUptime, observedUptime } from "../../core/rules/observedUptime.js"
import { uptimeRequirementFor } from "../../core/rules/staking.js"
import { tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import { type NodeID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import type { Epoch } from "../../core/types/proposervm.js"
import type { ConnectedPeer } from "../../services/context.js"
import { clockOffset } from "./clockOffset.js"
import type { JoinedChainOptions } from "./joinOptions.js"
import { NetworkLead } from "./networkLead.js"
import type { OpenedPeers } from "./openPeers.js"
import { PeerUptimes } from "./peerUptimes.js"
import { type Validation, validationOf } from "./validation.js"

/** Milliseconds for which a health check reports a fault of the chain. */
const FAULT_REPORT_MS = 60_000

/** The time after the start of a validation from which reports of uptimes count. */
const REPORT_DELAY_SECONDS = 60

/** The present parts of a joined chain, and queries about them for the API, health checks, metrics and the mempool. */
export class JoinedStatus {
  readonly #options: JoinedChainOptions
  /** Returns the monotonic clock of the times of peers and blocks, Unix milliseconds. */
  readonly steadyNow: () => number
  /** Time at which the node was started, by the steady clock. */
  readonly startedAt: number
  readonly recent = new RecentBlocks()
  readonly uptimes: PeerUptimes
  /** How far most of the connected stake is ahead. */
  readonly lead = new NetworkLead()
  /** The chain and the engine are replaced after a failed write or a fault. */
  outer: OuterChain
  engine: Engine | undefined
  opened: OpenedPeers | undefined
  /** The last fault in Serac that the chain met, and its time by the steady clock. */
  lastFault: { readonly error: unknown; readonly at: number } | undefined
  /** Time at which this run accepted its last block, by the steady clock; `undefined` before the first. */
  lastAcceptedAt: number | undefined

  constructor(options: JoinedChainOptions, steadyNow: () => number, outer: OuterChain) {
    this.#options = options
    this.steadyNow = steadyNow
    this.startedAt = steadyNow()
    this.outer = outer
    this.uptimes = new PeerUptimes(options.store, options.identity.nodeID, this.now())
  }

  get peers(): Peers | undefined {
    return this.opened?.peers
  }

  /** A fault in Serac that the chain met in the last minute. */
  get fault(): unknown {
    const { lastFault } = this
    return lastFault && this.steadyNow() - lastFault.at < FAULT_REPORT_MS ? lastFault.error : undefined
  }

  get isBootstrapped(): boolean {
    return this.engine?.isBootstrapped ?? false
  }

  /** True if this node votes and proposes blocks. */
  get isValidating(): boolean {
    return this.engine?.isValidating ?? false
  }

  get lastAccepted(): OuterBlock {
    return this.outer.lastAccepted
  }

  /** Milliseconds since the last block was accepted. For a block of an earlier run its own time counts. */
  get lastAcceptedAgo(): number {
    if (this.lastAcceptedAt !== undefined) return this.steadyNow() - this.lastAcceptedAt
    const { timestamp } = this.outer.parentFor(this.lastAccepted)
    return Math.max(0, this.#options.wall() - Number(timestamp) * 1000)
  }

  /** See `clockOffset`. */
  get clockOffset(): number | undefined {
    const { peers } = this
    return (
      peers && clockOffset(peers.status(), peers.validatorWeights(), { wall: this.#options.wall(), steady: this.steadyNow() })
    )
  }

  /** Returns the node's clock, Unix seconds. */
  now(): bigint {
    return wholeSeconds(this.#options.wall())
  }

  /** The share of the stake whose validators are connected, including this node's own, 0 to 1; `undefined` while the node bootstraps. */
  get connectedStakeShare(): number | undefined {
    const stake = this.engine?.consensus?.requests.connectedStake
    if (!stake || stake.total === 0n) return undefined
    if (this.isValidating) return Number(stake.connected) / Number(stake.total)
    return Number(stake.connected + (this.#ownMember?.weight ?? 0n)) / Number(stake.total)
  }

  get validation(): Validation {
    return validationOf(this.#options.data.rules.networkID, this.isValidator)
  }

  /** This node's entry in the current validator set of the primary network. */
  get #ownMember() {
    const { store, identity } = this.#options
    return store.latest.get(tables.members, { subnetID: PRIMARY_NETWORK_ID, nodeID: identity.nodeID })
  }

  /** Returns connection and uptime of another node, as this node measured them. */
  uptimeOf(nodeID: NodeID): { readonly connected: boolean; readonly uptime: number } {
    return this.uptimes.of(nodeID, this.now())
  }

  /** True if the node's ID is in the current validator set of the primary network. */
  get isValidator(): boolean {
    return this.#ownMember !== undefined
  }

  /** The address that is announced to peers. */
  get ipText(): string {
    return ipPortText(this.opened?.address ?? this.#options.publicIp)
  }

  /** What validators report of this node's uptime; `undefined` while it is no validator. */
  get observedUptime(): (ObservedUptime & { readonly requirement: number }) | undefined {
    const { store, identity, data } = this.#options
    const own = store.latest.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID: identity.nodeID })
    if (!own || !this.peers) return undefined
    // Until a validator has accepted the block with this node's stake, it reports zero.
    const since = (Number(own.startTime) + REPORT_DELAY_SECONDS) * 1000
    const reports = new Map(this.peers.status().map(({ nodeID, uptimeReport }) => [nodeID, uptimeReport]))
    const reportOf = (nodeID: NodeID) => {
      const report = reports.get(nodeID)
      return report && report.at >= since ? report.percent : undefined
    }
    const requirement = uptimeRequirementFor(store.latest, data.rules, PRIMARY_NETWORK_ID, own.startTime) ?? 0
    return { ...observedUptime(identity.nodeID, this.peers.validatorWeights(), reportOf, requirement), requirement }
  }

  /** Returns the peers whose handshake is complete, for `info.peers`. */
  connectedPeers(): ConnectedPeer[] {
    const clockStep = this.#options.wall() - this.steadyNow()
    const isBenched = (nodeID: NodeID) => this.engine?.bench.isBenched(nodeID) ?? false
    return (this.peers?.status() ?? []).map((status) => connectedPeerOf(status, isBenched(status.nodeID), clockStep))
  }

  /** Returns the P-Chain height that a block made now would name. */
  proposedHeight(): bigint {
    return max(this.outer.parentFor(this.lastAccepted).pChainHeight, this.recommendedHeight())
  }

  /** Returns the P-Chain height that most nodes have accepted by now. */
  recommendedHeight(): bigint {
    const { height } = this.lastAccepted
    const { usesCurrentHeight } = this.#options.network.building
    return usesCurrentHeight ? height : this.recent.minimumHeight(height, this.steadyNow())
  }

  preferredState(): View {
    const { outer, engine } = this
    const tip = engine?.consensus && outer.processing(engine.consensus.tree.preference)
    return (tip && outer.chain.stateAfter(tip.inner.id)) ?? outer.chain.state
  }

  /** Returns the epoch of a block made now. */
  currentEpoch(): Epoch {
    const parent = this.outer.parentFor(this.lastAccepted)
    return newEpoch(this.#options.data.rules.upgrades, parent, childTimestamp(parent, this.now()))
  }
}

/** Describes a peer for `info.peers`. `clockStep`: milliseconds by which the machine's clock is ahead of that of these times. */
function connectedPeerOf(status: PeerStatus, isBenched: boolean, clockStep: number): ConnectedPeer {
  const { nodeID, address, description, lastSent, lastReceived, uptimeReport } = status
  return {
    nodeID,
    ip: ipPortText(address),
    publicIP: ipPortText(description.ip),
    version: clientVersionText(description.version),
    upgradeTime: description.upgradeTime,
    lastSent: lastSent + clockStep,
    lastReceived: lastReceived + clockStep,
    observedUptime: uptimeReport?.percent ?? 0,
    trackedSubnets: description.trackedSubnets,
    supportedACPs: description.acps.supported,
    objectedACPs: description.acps.objected,
    isBenched,
  }
}
