import type { AcceptedEvent } from "../../core/blocks/acceptedEvent.js"
import { RecentBlocks } from "../../core/chain/recentBlocks.js"
import { recoverSignersAhead } from "../../core/chain/signersAhead.js"
import type { StatePort } from "../../core/chain/statePort.js"
import { Engine } from "../../core/consensus/engine/engine.js"
import type { RefusedBlock } from "../../core/consensus/engine/refusedBlocks.js"
import type { OuterBlock } from "../../core/consensus/proposer/outerBlock.js"
import type { OuterChain } from "../../core/consensus/proposer/outerChain.js"
import { answerAboutChain } from "../../core/consensus/responder.js"
import { Emitter } from "../../core/lib/emitter.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import type { Peers } from "../../core/p2p/peers.js"
import type { ChainMessage } from "../../core/p2p/session.js"
import { type NodeID, nodeIDText } from "../../core/types/id.js"
import { defaultSignatureThreads, SignaturePool } from "../../workers/signaturePool.js"
import { openOuterChain } from "../openOuterChain.js"
import { ChainErrors } from "./chainErrors.js"
import { JoinedMempool } from "./joinedMempool.js"
import { JoinedStatus } from "./joinedStatus.js"
import type { JoinedChainOptions } from "./joinOptions.js"
import { defaultNetworkSettings, type NetworkSettings } from "./networkSettings.js"
import { type OpenedPeers, openPeers } from "./openPeers.js"
import { OwnValidator } from "./ownValidator.js"
import { PeerUptimes } from "./peerUptimes.js"
import { steadyClock } from "./steadyClock.js"
import { SyncReport } from "./syncReport.js"
import { systemRandom } from "./systemRandom.js"
import { UpgradeTimesLog } from "./upgradeTimes.js"
import { ValidationLog } from "./validation.js"
import { outOfTimeAfter, WorkLoop } from "./workLoop.js"

/** Milliseconds between two log lines about a block from the future. */
const WARNING_INTERVAL_MS = 10_000

/** The chain of a node in a network. It connects to peers, bootstraps the chain and follows it. */
export class JoinedChain {
  readonly #options: JoinedChainOptions
  readonly #settings: NetworkSettings
  /** Returns Unix milliseconds of a monotonic clock. */
  readonly #steady: () => number
  readonly #state: StatePort
  readonly #recent = new RecentBlocks()
  /** Queries about the chain for the API, health checks and metrics. */
  readonly status: JoinedStatus
  readonly #events: Emitter<AcceptedEvent>
  readonly #syncReport: SyncReport
  /** The transactions that were issued here. */
  readonly mempool: JoinedMempool
  readonly #uptimes: PeerUptimes
  #outer: OuterChain
  #engine: Engine | undefined
  #opened: OpenedPeers | undefined
  #lastAcceptedAt: number | undefined
  readonly #validator: OwnValidator
  #nextWarning = 0
  readonly #errors: ChainErrors
  readonly #loop: WorkLoop
  readonly #validationLog: ValidationLog
  readonly #upgradeTimesLog: UpgradeTimesLog
  readonly #signatures: SignaturePool

  constructor(options: JoinedChainOptions) {
    const { store, wall, data, identity } = options
    this.#options = options
    this.#events = new Emitter((error) => options.reportFault(error, "report of a change of the chain"))
    this.#settings = options.network ?? defaultNetworkSettings
    this.#steady = steadyClock(wall)
    this.#validationLog = new ValidationLog(options.log)
    this.#upgradeTimesLog = new UpgradeTimesLog(options.log, data.rules.upgrades)
    this.#errors = new ChainErrors(options, this.#steady)
    this.#signatures = new SignaturePool({
      count: defaultSignatureThreads(),
      onLost: (reason, left) => options.log.warn("a thread that checks signatures ended", { reason, left }),
    })
    this.#loop = new WorkLoop({
      tick: () => this.#tick(),
      handle: (isOutOfTime) => this.#peers?.work(this.#steady(), isOutOfTime) ?? false,
      execute: (isOutOfTime) => !this.#errors.isWaiting && (this.#engine?.work(this.#steady(), isOutOfTime) ?? false),
      failed: (error) => this.#failed(error),
    })
    this.#state = this.#errors.stateOf(store)
    this.#outer = openOuterChain(data.rules, this.#state)
    this.#uptimes = new PeerUptimes(store, identity.nodeID, this.#unixSeconds())
    this.status = new JoinedStatus(options, {
      steady: this.#steady,
      recent: this.#recent,
      uptimes: this.#uptimes,
      parts: () => ({
        outer: this.#outer,
        engine: this.#engine,
        opened: this.#opened,
        lastAcceptedAt: this.#lastAcceptedAt,
        fault: this.#errors.recentFault,
      }),
    })
    this.#syncReport = new SyncReport({
      log: options.log,
      now: this.#steady,
      beaconWarningMs: this.#settings.chain.beaconWarningMs,
      watch: options.onSync,
    })
    this.mempool = new JoinedMempool({
      outer: () => this.#outer,
      identity,
      now: this.#steady,
      unixSeconds: () => this.#unixSeconds(),
      random: systemRandom,
      proposedHeight: () => this.status.proposedHeight(),
      preferredState: () => this.status.preferredState(),
      isValidating: () => this.status.isValidating,
      onAdmitted: () => this.#propose(),
      onFault: (error) => options.reportFault(error, "transaction of a peer"),
      peers: () => this.#peers,
    })
    this.#validator = new OwnValidator(options, () => this.status.recommendedHeight())
  }

  /** Number of blocks that this node has proposed since it started. */
  get blocksProposed(): number {
    return this.#validator.blocksProposed
  }

  get #peers(): Peers | undefined {
    return this.#opened?.peers
  }

  #unixSeconds(): bigint {
    return wholeSeconds(this.#options.wall())
  }

  /** Calls the listener after every change of the state. Returns a function that unsubscribes. */
  readonly onAccepted = (listener: (event: AcceptedEvent) => void) => this.#events.listen(listener)

  /** Listens, dials, and starts to catch up. */
  async start(): Promise<void> {
    this.#opened = await openPeers(this.#options, {
      now: this.#steady,
      onReceived: () => this.#loop.handleSoon(),
      connected: (nodeID) => this.#connected(nodeID),
      disconnected: (nodeID) => this.#disconnected(nodeID),
      message: (nodeID, message, now) => this.#message(nodeID, message, now),
      fault: (nodeID, error) => this.#options.reportFault(error, `connection to ${nodeIDText(nodeID)}`),
      uptimeOf: (nodeID) => Math.floor(this.status.uptimeOf(nodeID).uptime * 100),
    })
    this.#engine = this.#openEngine(this.#opened.peers, false)
    this.#loop.start()
  }

  async stop(): Promise<void> {
    this.#loop.stop()
    this.#uptimes.stop(this.#unixSeconds())
    this.#signatures.stop()
    await this.#opened?.sockets.stop()
    this.#loop.guarded(() => this.#engine?.flush())
  }

  /** Makes the engine that votes with these peers. */
  #openEngine(peers: Peers, isFollowing: boolean): Engine {
    const { log, bootstrappers, parameters } = this.#options
    const { timeouts, bench, chain: settings } = this.#settings
    const engine = new Engine({
      chain: this.#outer,
      state: this.#state,
      beacons: bootstrappers.map(({ nodeID }) => nodeID),
      parameters,
      timeouts,
      bench,
      settings,
      random: systemRandom,
      followsFrom: isFollowing ? this.#steady() : undefined,
      unixSeconds: () => this.#unixSeconds(),
      validator: this.#validator.options(this.mempool.pool),
      port: {
        send: (nodeID, message) => peers.send(nodeID, message),
        validators: (validators) => {
          peers.setValidators(validators)
          if (this.status.isBootstrapped) this.#validationLog.update(this.status.validation)
        },
        accepted: (blocks) => this.#accepted(blocks),
        bootstrapped: () => this.#bootstrapped(),
        benched: (nodeID) => this.#uptimes.disconnected(nodeID, this.#unixSeconds()),
        released: (nodeID) => {
          if (peers.isConnected(nodeID)) this.#uptimes.connected(nodeID, this.#unixSeconds())
        },
        app: (nodeID, message) => this.mempool.message(nodeID, message),
        uptimeOf: (nodeID) => this.status.uptimeOf(nodeID).uptime,
        // Nothing waits for them: the chain recovers those that it does not know.
        recoverAhead: (blocks) => void recoverSignersAhead(this.#signatures, this.#outer.chain, blocks),
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
    this.#loop.guarded(() => {
      if (!this.#engine?.isBenched(nodeID)) this.#uptimes.connected(nodeID, this.#unixSeconds())
      this.#engine?.connected(nodeID)
    })
  }

  #disconnected(nodeID: NodeID): void {
    this.#loop.guarded(() => {
      this.#uptimes.disconnected(nodeID, this.#unixSeconds())
      this.#engine?.disconnected(nodeID, this.#steady())
    })
  }

  /** Handles a message of a peer. A fault is thrown, because it also ends the connection to the peer. */
  #message(nodeID: NodeID, message: ChainMessage, now: number): void {
    try {
      this.#handle(nodeID, message, now)
    } catch (error) {
      const isFault = !this.#errors.hasRecorded(error)
      this.#loop.guarded(() => this.#goBackToDisk())
      if (isFault) throw error
    }
  }

  #handle(nodeID: NodeID, message: ChainMessage, now: number): void {
    if (this.#engine && !this.#errors.isWaiting && !this.#loop.isPaused) {
      this.#engine.message(nodeID, message, now, outOfTimeAfter(this.#settings.chain.ancestorsMs))
      return
    }
    const { maxAncestorsSent, ancestorsMs } = this.#settings.chain
    const limits = { maxAncestors: maxAncestorsSent, isOutOfTime: outOfTimeAfter(ancestorsMs) }
    const answer = answerAboutChain(message, this.#outer, limits)
    if (answer) this.#peers?.send(nodeID, answer)
  }

  /** Builds a block if it is this node's turn. Called when transactions have arrived. */
  #propose(): void {
    if (!this.#errors.isWaiting) this.#loop.guarded(() => this.#engine?.propose(this.#steady()))
  }

  #tick(): void {
    const now = this.#steady()
    this.#peers?.tick(now)
    this.#opened?.sockets.tick(now)
    this.#upgradeTimesLog.tick(this.#peers, now)
    this.#uptimes.tick(this.#unixSeconds())
    if (this.#errors.isWaiting) return
    if (!this.#engine) this.#goBackToDisk()
    this.#engine?.tick(now)
    if (this.status.isBootstrapped) this.mempool.tick(now)
    this.#syncReport.tick(this.#engine?.progress, this.#peers?.status().length ?? 0)
  }

  #accepted(blocks: readonly OuterBlock[]): void {
    const now = this.#steady()
    this.#lastAcceptedAt = now
    for (const { height, inner } of blocks) {
      this.#recent.add(height, now)
      this.mempool.accepted(inner)
      this.#events.emit({ kind: "block", block: inner })
    }
  }

  #bootstrapped(): void {
    this.#options.log.info("bootstrapped", { height: this.#outer.lastAccepted.height.toString() })
    this.#signatures.stop()
    this.#uptimes.startTracking(this.#unixSeconds())
    this.#validationLog.update(this.status.validation)
    this.#notifyOfState()
  }

  /** Reports a change of the state other than a new block, so that snapshots and answers of earlier states are dropped. */
  #notifyOfState(): void {
    const { inner, height } = this.#outer.lastAccepted
    this.#events.emit({ kind: "revert", id: inner.id, height })
  }

  /**
   * Continues from the disk after an error of the chain: later if the store cannot be written. Any other error is a fault, after which
   * nothing that was not written can be trusted. Returns whether it is one.
   */
  #failed(error: unknown): boolean {
    const isFault = this.#errors.isFault(error)
    try {
      this.#goBackToDisk()
    } catch (again) {
      return this.#errors.isFault(again) || isFault
    }
    return isFault
  }

  /**
   * Drops everything that is not on the disk. The chain continues from there; reads and peers are answered meanwhile. If that fails, the next
   * tick tries it again.
   */
  #goBackToDisk(): void {
    const peers = this.#peers
    if (!peers || !this.#loop.isRunning) return
    const isFollowing = this.status.isBootstrapped
    this.#engine = undefined
    this.#outer = openOuterChain(this.#options.data.rules, this.#state)
    this.#engine = this.#openEngine(peers, isFollowing)
    this.#notifyOfState()
  }
}
