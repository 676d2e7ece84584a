import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import type { StatePort } from "../core/chain/chain.js"
import { RecentlyAccepted } from "../core/chain/recentlyAccepted.js"
import { Engine } from "../core/consensus/engine/engine.js"
import type { RefusedBlock } from "../core/consensus/engine/refusedBlocks.js"
import type { OuterBlock } from "../core/consensus/proposer/outerBlock.js"
import type { OuterChain } from "../core/consensus/proposer/outerChain.js"
import { childTimestamp } from "../core/consensus/proposer/wrapperRules.js"
import { answerAboutChain } from "../core/consensus/responder.js"
import type { Invalid } from "../core/lib/invalid.js"
import { max } from "../core/lib/math64.js"
import { ipPortText } from "../core/p2p/ipPort.js"
import type { Peers } from "../core/p2p/peers.js"
import type { ChainMessage } from "../core/p2p/session.js"
import { newEpoch } from "../core/rules/epoch.js"
import { tables } from "../core/state/tables.js"
import { type NodeID, PRIMARY_NETWORK_ID } from "../core/types/id.js"
import type { Epoch } from "../core/types/proposervm.js"
import type { ConnectedPeer } from "../services/context.js"
import { isFinalFailure, isStoreFailure } from "../store/errors.js"
import { connectedPeerOf } from "./connectedPeers.js"
import { JoinedMempool } from "./joinedMempool.js"
import type { JoinedChainOptions } from "./joinOptions.js"
import { openOuterChain } from "./openOuterChain.js"
import { type OpenedPeers, openPeers } from "./openPeers.js"
import { PeerUptimes } from "./peerUptimes.js"
import { steadyClock } from "./steadyClock.js"
import { SyncReport } from "./syncReport.js"
import { systemRandom } from "./systemRandom.js"

const TICK_MS = 50
/** For how long blocks are executed before anything else gets its turn. */
const SLICE_MS = 25
/** For how long messages of peers are handled before anything else gets its turn. */
const HANDLE_MS = 10
/** How long an answer to a peer may take; AvalancheGo spends as much on ancestors. */
const ANSWER_MS = 50
/** How often a block from the future is reported. */
const WARNING_INTERVAL_MS = 10_000
/** How long to wait before a store that could not be written is tried again. */
const RETRY_MS = 1_000

/** The chain of a node among others: connected to peers, brought up to date, followed. */
export class JoinedChain {
  readonly #options: JoinedChainOptions
  /** A clock that is never set, Unix milliseconds. */
  readonly #steady: () => number
  readonly #state: StatePort
  readonly #recent = new RecentlyAccepted()
  readonly #listeners = new Set<(event: AcceptedEvent) => void>()
  readonly #report: SyncReport
  /** The transactions that were issued here. */
  readonly mempool: JoinedMempool
  readonly #uptimes: PeerUptimes
  #outer: OuterChain
  #engine: Engine | undefined
  #opened: OpenedPeers | undefined
  #lastAcceptedAt: number | undefined
  #nextWarning = 0
  #timer: NodeJS.Timeout | undefined
  #isWorking = false
  #isHandling = false
  /** Why the store could not be written, and when that is tried again. */
  #failure: { readonly error: Invalid; readonly retryAt: number } | undefined

  constructor(options: JoinedChainOptions) {
    const { store, wall, data, identity } = options
    this.#options = options
    this.#steady = steadyClock(wall)
    this.#state = {
      get latest() {
        return store.latest
      },
      commit: (edits) => {
        store.commit(edits)
        this.#written()
      },
    }
    this.#outer = openOuterChain(data.rules, this.#state)
    this.#report = new SyncReport(options.log, this.#steady, options.onSync)
    this.mempool = new JoinedMempool({
      outer: () => this.#outer,
      identity,
      now: this.#steady,
      unixSeconds: () => this.now(),
      random: systemRandom,
      proposedHeight: () => this.proposedHeight(),
      peers: () => this.peers,
    })
    this.#uptimes = new PeerUptimes(store, identity.nodeID, this.now())
  }

  get isBootstrapped(): boolean {
    return this.#engine?.isBootstrapped ?? false
  }

  get peers(): Peers | undefined {
    return this.#opened?.peers
  }

  get engine(): Engine | undefined {
    return this.#engine
  }

  /** The accepted block that nothing follows yet. */
  get lastAccepted(): OuterBlock {
    return this.#outer.lastAccepted
  }

  /** How long ago the last block was accepted, milliseconds; one that was accepted in an earlier run counts from its own time. */
  get lastAcceptedAgo(): number {
    if (this.#lastAcceptedAt !== undefined) return this.#steady() - this.#lastAcceptedAt
    const { timestamp } = this.#outer.parentFor(this.#outer.lastAccepted)
    return Math.max(0, this.#options.wall() - Number(timestamp) * 1000)
  }

  /** The clock that the times of peers and blocks are taken with, Unix milliseconds. It is never set. */
  steadyNow(): number {
    return this.#steady()
  }

  /** Share of the stake whose validators are connected, this node's own included, 0 to 1; `undefined` while it catches up. */
  get connectedStakeShare(): number | undefined {
    const stake = this.#engine?.follower?.connectedStake
    if (!stake || stake.total === 0n) return undefined
    const own = this.#options.store.latest.get(tables.members, {
      subnetID: PRIMARY_NETWORK_ID,
      nodeID: this.#options.identity.nodeID,
    })
    return Number(stake.connected + (own?.weight ?? 0n)) / Number(stake.total)
  }

  /** What this node saw of another. */
  uptimeOf(nodeID: NodeID): { readonly connected: boolean; readonly uptime: number } {
    return this.#uptimes.of(nodeID, this.now())
  }

  /** The address that peers are told. */
  get ipText(): string {
    return ipPortText(this.#opened?.address ?? this.#options.publicIp)
  }

  /** The peers whose handshake is complete, for `info.peers`. */
  connectedPeers(): ConnectedPeer[] {
    const clockStep = this.#options.wall() - this.#steady()
    const isBenched = (nodeID: NodeID) => this.#engine?.isBenched(nodeID) ?? false
    return (this.peers?.status() ?? []).map((status) => connectedPeerOf(status, isBenched(status.nodeID), clockStep))
  }

  /** The node's clock, Unix seconds. */
  now(): bigint {
    return BigInt(Math.floor(this.#options.wall() / 1000))
  }

  /** The P-Chain height that a block made now would name. */
  proposedHeight(): bigint {
    const { height } = this.#outer.lastAccepted
    const parent = this.#outer.parentFor(this.#outer.lastAccepted)
    return max(parent.pChainHeight, this.#recent.minimumHeight(height, this.#steady()))
  }

  /** The epoch that a block made now would be in. */
  currentEpoch(): Epoch {
    const parent = this.#outer.parentFor(this.#outer.lastAccepted)
    return newEpoch(this.#options.data.rules.upgrades, parent, childTimestamp(parent, this.now()))
  }

  /** Calls back after every change of the state; returns the unsubscribe. */
  onAccepted(listener: (event: AcceptedEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Listens, dials, and begins to catch up. */
  async start(): Promise<void> {
    this.#opened = await openPeers(this.#options, {
      now: this.#steady,
      onReceived: () => this.#handleSoon(),
      connected: (nodeID) => this.#connected(nodeID),
      disconnected: (nodeID) => this.#disconnected(nodeID),
      message: (nodeID, message, now) => this.#guarded(() => this.#message(nodeID, message, now)),
      uptimeOf: (nodeID) => Math.floor(this.uptimeOf(nodeID).uptime * 100),
    })
    this.#engine = this.#openEngine(this.#opened.peers, false)
    this.#timer = setInterval(() => this.#guarded(() => this.#tick()), TICK_MS)
    this.#tick()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#uptimes.stop(this.now())
    await this.#opened?.sockets.stop()
    this.#guarded(() => this.#engine?.flush())
  }

  /** Makes the engine that votes with these peers. */
  #openEngine(peers: Peers, isFollowing: boolean): Engine {
    const { log, bootstrappers, parameters, network } = this.#options
    const engine = new Engine({
      chain: this.#outer,
      state: this.#state,
      beacons: bootstrappers.map(({ nodeID }) => nodeID),
      parameters,
      timeouts: network?.timeouts,
      bench: network?.bench,
      random: systemRandom,
      followsFrom: isFollowing ? this.#steady() : undefined,
      unixSeconds: () => this.now(),
      port: {
        send: (nodeID, message) => peers.send(nodeID, message),
        validators: (validators) => peers.setValidators(validators),
        accepted: (blocks) => this.#accepted(blocks),
        bootstrapped: () => this.#bootstrapped(),
        benched: (nodeID) => this.#uptimes.disconnected(nodeID, this.now()),
        released: (nodeID) => {
          if (peers.isConnected(nodeID)) this.#uptimes.connected(nodeID, this.now())
        },
        app: (nodeID, message) => this.mempool.answer(nodeID, message),
        postponed: (report) => this.#postponed(report),
        halted: (report) =>
          log.error("the network accepted a block that breaks a rule here", { ...report, height: report.height }),
      },
    })
    for (const { nodeID } of peers.status()) engine.connected(nodeID)
    return engine
  }

  #postponed({ height, blockID, reason }: RefusedBlock): void {
    const now = this.#steady()
    if (now < this.#nextWarning) return
    this.#nextWarning = now + WARNING_INTERVAL_MS
    this.#options.log.warn("a block is from the future: is this machine's clock behind?", { height, blockID, reason })
  }

  #connected(nodeID: NodeID): void {
    if (!this.#engine?.isBenched(nodeID)) this.#uptimes.connected(nodeID, this.now())
    this.#engine?.connected(nodeID)
  }

  #disconnected(nodeID: NodeID): void {
    this.#uptimes.disconnected(nodeID, this.now())
    this.#guarded(() => this.#engine?.disconnected(nodeID, this.#steady()))
  }

  #message(nodeID: NodeID, message: ChainMessage, now: number): void {
    if (!this.#isPaused) {
      this.#engine?.message(nodeID, message, now, within(ANSWER_MS))
      return
    }
    const answer = answerAboutChain(message, this.#outer, within(ANSWER_MS))
    if (answer) this.peers?.send(nodeID, answer)
  }

  #tick(): void {
    const now = this.#steady()
    this.peers?.tick(now)
    this.#opened?.sockets.tick(now)
    this.#uptimes.tick(this.now())
    if (this.#isPaused) return
    this.#engine?.tick(now)
    if (this.isBootstrapped) this.mempool.tick(now)
    this.#report.tick(this.#engine?.progress, this.peers?.status().length ?? 0)
    if (!this.#isWorking) this.#work()
  }

  /** Handles the messages of peers in slices, so that callers of the API get their turn in between. */
  #handleSoon(): void {
    if (this.#isHandling) return
    this.#isHandling = true
    setImmediate(() =>
      this.#guarded(() => {
        this.#isHandling = false
        const hasMore = this.peers?.work(this.#steady(), within(HANDLE_MS)) ?? false
        if (hasMore && this.#timer !== undefined) this.#handleSoon()
      }),
    )
  }

  /** Executes fetched blocks in slices, so that peers and callers get their turn in between. */
  #work(): void {
    this.#isWorking = false
    if (this.#isPaused) return
    const hasMore = this.#engine?.work(this.#steady(), within(SLICE_MS)) ?? false
    this.#isWorking = hasMore && this.#timer !== undefined
    if (this.#isWorking) setImmediate(() => this.#guarded(() => this.#work()))
  }

  #accepted(blocks: readonly OuterBlock[]): void {
    const now = this.#steady()
    this.#lastAcceptedAt = now
    for (const { height, inner } of blocks) {
      this.#recent.add(height, now)
      this.mempool.accepted(inner)
      this.#tell({ kind: "block", block: inner })
    }
  }

  #bootstrapped(): void {
    this.#options.log.info("bootstrapped", { height: this.#outer.lastAccepted.height.toString() })
    this.#uptimes.startTracking(this.now())
    this.#tellOfState()
  }

  /** Snapshots and answers of earlier states are dropped. */
  #tellOfState(): void {
    const { inner, height } = this.#outer.lastAccepted
    this.#tell({ kind: "revert", id: inner.id, height })
  }

  #tell(event: AcceptedEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** True while nothing is executed, because the store could not be written a moment ago. */
  get #isPaused(): boolean {
    return this.#failure !== undefined && this.#steady() < this.#failure.retryAt
  }

  /** A store that cannot be written is tried again. Any other error is a fault of ours: going on could write something wrong. */
  #guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      if (isStoreFailure(error)) {
        this.#pause(error)
        return
      }
      clearInterval(this.#timer)
      this.#timer = undefined
      this.#options.onFault(error)
    }
  }

  /** Forgets everything that is not on the disk. The chain goes on from there a little later; reads and peers are answered meanwhile. */
  #pause(error: Invalid): void {
    const { log, data } = this.#options
    if (this.#failure?.error.code !== error.code) {
      log.error("the store cannot be written", { code: error.code, reason: error.message })
    }
    this.#failure = { error, retryAt: isFinalFailure(error) ? Number.POSITIVE_INFINITY : this.#steady() + RETRY_MS }
    this.#isWorking = false
    const peers = this.peers
    if (!peers || this.#timer === undefined) return
    const isFollowing = this.isBootstrapped
    this.#outer = openOuterChain(data.rules, this.#state)
    this.#engine = this.#openEngine(peers, isFollowing)
    this.#tellOfState()
  }

  #written(): void {
    if (!this.#failure) return
    this.#failure = undefined
    this.#options.log.info("the store is written again")
  }
}

/** A function that is true once so many milliseconds have passed. */
function within(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() >= end
}
