import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import type { StatePort } from "../core/chain/chain.js"
import { RecentlyAccepted } from "../core/chain/recentlyAccepted.js"
import { signedHashesOf } from "../core/chain/signedHashes.js"
import { Engine } from "../core/consensus/engine/engine.js"
import type { RefusedBlock } from "../core/consensus/engine/refusedBlocks.js"
import type { OuterBlock } from "../core/consensus/proposer/outerBlock.js"
import type { OuterChain } from "../core/consensus/proposer/outerChain.js"
import { childTimestamp } from "../core/consensus/proposer/wrapperRules.js"
import { answerAboutChain } from "../core/consensus/responder.js"
import { max } from "../core/lib/math64.js"
import { ipPortText } from "../core/p2p/ipPort.js"
import type { Peers } from "../core/p2p/peers.js"
import type { ChainMessage } from "../core/p2p/session.js"
import { newEpoch } from "../core/rules/epoch.js"
import { tables } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import { type NodeID, PRIMARY_NETWORK_ID } from "../core/types/id.js"
import type { Epoch } from "../core/types/proposervm.js"
import type { ConnectedPeer } from "../services/context.js"
import { isStoreFailure } from "../store/errors.js"
import { connectedPeerOf } from "./connectedPeers.js"
import { JoinedMempool } from "./joinedMempool.js"
import type { JoinedChainOptions } from "./joinOptions.js"
import { openOuterChain } from "./openOuterChain.js"
import { type OpenedPeers, openPeers } from "./openPeers.js"
import { OwnValidator } from "./ownValidator.js"
import { PeerUptimes } from "./peerUptimes.js"
import { SignerThread } from "./signerThread.js"
import { steadyClock } from "./steadyClock.js"
import { StoreFailures } from "./storeFailures.js"
import { SyncReport } from "./syncReport.js"
import { systemRandom } from "./systemRandom.js"
import { type Validation, ValidationLog, validationOf } from "./validation.js"
import { WorkLoop, within } from "./workLoop.js"

/** Time limit of an answer to a peer. AvalancheGo has the same limit for ancestors. */
const ANSWER_MS = 50
/** How often a block from the future is reported. */
const WARNING_INTERVAL_MS = 10_000

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
  readonly #validator: OwnValidator
  #nextWarning = 0
  readonly #failures: StoreFailures
  readonly #loop: WorkLoop
  readonly #validationLog: ValidationLog
  readonly #signers = new SignerThread((signed, publicKey) => this.#outer.chain.rememberSigner(signed, publicKey))

  constructor(options: JoinedChainOptions) {
    const { store, wall, data, identity } = options
    this.#options = options
    this.#steady = steadyClock(wall)
    this.#validationLog = new ValidationLog(options.log)
    this.#failures = new StoreFailures(options.log, this.#steady)
    this.#loop = new WorkLoop({
      tick: () => this.#tick(),
      handle: (isOutOfTime) => this.peers?.work(this.#steady(), isOutOfTime) ?? false,
      execute: (isOutOfTime) => !this.#failures.isWaiting && (this.#engine?.work(this.#steady(), isOutOfTime) ?? false),
      failed: (error) => this.#failed(error),
    })
    this.#state = {
      get latest() {
        return store.latest
      },
      commit: (edits) => {
        store.commit(edits)
        this.#failures.written()
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
      preferredState: () => this.#preferredState(),
      isValidating: () => this.isValidating,
      onAdmitted: () => this.#propose(),
      onFault: (error) => this.#failed(error),
      peers: () => this.peers,
    })
    this.#validator = new OwnValidator(options, () => this.#recommendedHeight())
    this.#uptimes = new PeerUptimes(store, identity.nodeID, this.now())
  }

  get isBootstrapped(): boolean {
    return this.#engine?.isBootstrapped ?? false
  }

  /** Whether this node votes and proposes blocks. */
  get isValidating(): boolean {
    return this.#engine?.isValidating ?? false
  }

  /** How many blocks this node has proposed since it started. */
  get blocksProposed(): number {
    return this.#validator.blocksProposed
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
    if (this.isValidating) return Number(stake.connected) / Number(stake.total)
    return Number(stake.connected + (this.#ownMember?.weight ?? 0n)) / Number(stake.total)
  }

  /** How this node takes part in the validation of its network. */
  get validation(): Validation {
    const { data, validates } = this.#options
    return validationOf({ networkID: data.rules.networkID, isValidator: this.#ownMember !== undefined, validates })
  }

  /** This node's entry in the current validator set of the primary network. */
  get #ownMember() {
    const { store, identity } = this.#options
    return store.latest.get(tables.members, { subnetID: PRIMARY_NETWORK_ID, nodeID: identity.nodeID })
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
    return max(this.#outer.parentFor(this.#outer.lastAccepted).pChainHeight, this.#recommendedHeight())
  }

  /** The P-Chain height that most nodes have accepted by now. */
  #recommendedHeight(): bigint {
    return this.#recent.minimumHeight(this.#outer.lastAccepted.height, this.#steady())
  }

  /** The state after the block that this node prefers. */
  #preferredState(): View {
    const { chain } = this.#outer
    const tip = this.#engine?.follower && this.#outer.processing(this.#engine.follower.preference)
    return (tip && chain.stateAfter(tip.inner.id)) ?? chain.state
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
      onReceived: () => this.#loop.handleSoon(),
      connected: (nodeID) => this.#connected(nodeID),
      disconnected: (nodeID) => this.#disconnected(nodeID),
      message: (nodeID, message, now) => this.#loop.guarded(() => this.#message(nodeID, message, now)),
      uptimeOf: (nodeID) => Math.floor(this.uptimeOf(nodeID).uptime * 100),
    })
    this.#engine = this.#openEngine(this.#opened.peers, false)
    this.#loop.start()
  }

  async stop(): Promise<void> {
    this.#loop.stop()
    this.#uptimes.stop(this.now())
    this.#signers.stop()
    await this.#opened?.sockets.stop()
    this.#loop.guarded(() => this.#engine?.flush())
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
      validator: this.#validator.options(this.mempool.pool),
      port: {
        send: (nodeID, message) => peers.send(nodeID, message),
        validators: (validators) => {
          peers.setValidators(validators)
          if (this.isBootstrapped) this.#validationLog.update(this.validation)
        },
        accepted: (blocks) => this.#accepted(blocks),
        bootstrapped: () => this.#bootstrapped(),
        benched: (nodeID) => this.#uptimes.disconnected(nodeID, this.now()),
        released: (nodeID) => {
          if (peers.isConnected(nodeID)) this.#uptimes.connected(nodeID, this.now())
        },
        app: (nodeID, message) => this.mempool.message(nodeID, message),
        uptimeOf: (nodeID) => this.uptimeOf(nodeID).uptime,
        recoverAhead: (blocks) => this.#signers.recover(blocks.flatMap(signedHashesOf)),
        proposed: (block) => this.#validator.proposed(block),
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
    this.#loop.guarded(() => this.#engine?.disconnected(nodeID, this.#steady()))
  }

  #message(nodeID: NodeID, message: ChainMessage, now: number): void {
    if (!this.#failures.isWaiting) {
      this.#engine?.message(nodeID, message, now, within(ANSWER_MS))
      return
    }
    const answer = answerAboutChain(message, this.#outer, within(ANSWER_MS))
    if (answer) this.peers?.send(nodeID, answer)
  }

  /** Transactions have come in: a block is built if it is this node's turn. */
  #propose(): void {
    if (!this.#failures.isWaiting) this.#loop.guarded(() => this.#engine?.propose(this.#steady()))
  }

  #tick(): void {
    const now = this.#steady()
    this.peers?.tick(now)
    this.#opened?.sockets.tick(now)
    this.#uptimes.tick(this.now())
    if (this.#failures.isWaiting) return
    this.#engine?.tick(now)
    if (this.isBootstrapped) this.mempool.tick(now)
    this.#report.tick(this.#engine?.progress, this.peers?.status().length ?? 0)
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
    this.#signers.stop()
    this.#uptimes.startTracking(this.now())
    this.#validationLog.update(this.validation)
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

  /** A store that cannot be written is tried again. Any other error is a fault of ours: going on could write something wrong. */
  #failed(error: unknown): void {
    if (isStoreFailure(error)) {
      this.#failures.failed(error)
      if (this.#loop.isRunning) this.#goBackToDisk()
      return
    }
    this.#loop.stop()
    this.#options.onFault(error)
  }

  /** Forgets everything that is not on the disk. The chain goes on from there; reads and peers are answered meanwhile. */
  #goBackToDisk(): void {
    const { peers } = this
    if (!peers) return
    const isFollowing = this.isBootstrapped
    this.#outer = openOuterChain(this.#options.data.rules, this.#state)
    this.#engine = this.#openEngine(peers, isFollowing)
    this.#tellOfState()
  }
}
