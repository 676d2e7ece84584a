import { txsOf } from "../../core/blocks/block.js"
import { Chain } from "../../core/chain/chain.js"
import { recoverSignersAhead } from "../../core/chain/signersAhead.js"
import { AcceptFault, type StatePort } from "../../core/chain/statePort.js"
import { NetworkMempool } from "../../core/consensus/app/networkMempool.js"
import { Engine } from "../../core/consensus/engine/engine.js"
import type { RefusedBlock } from "../../core/consensus/engine/refusedBlocks.js"
import type { OuterBlock } from "../../core/consensus/proposer/outerBlock.js"
import { OuterChain } from "../../core/consensus/proposer/outerChain.js"
import { answerAboutChain } from "../../core/consensus/responder.js"
import { Invalid } from "../../core/lib/invalid.js"
import { remedyOf } from "../../core/networks/otherRules.js"
import type { ChainMessage } from "../../core/p2p/message.js"
import type { Peers } from "../../core/p2p/peers.js"
import { project } from "../../core/readmodel/fold.js"
import { type NodeID, nodeIDText } from "../../core/types/id.js"
import { bls } from "../../platform/backends.js"
import { defaultSignatureThreads, SignaturePool } from "../../workers/signaturePool.js"
import { bootstrapReport } from "../catchUpReport.js"
import { StoreFailures } from "../storeFailures.js"
import { JoinedStatus } from "./joinedStatus.js"
import { type JoinedChainOptions, systemRandom } from "./joinOptions.js"
import { openPeers } from "./openPeers.js"
import { type Validation, validationLog, validatorOptions } from "./validation.js"
import { outOfTimeAfter, WorkLoop } from "./workLoop.js"

/** Milliseconds between two log lines about a block from the future. */
const WARNING_INTERVAL_MS = 10_000

/** Milliseconds between two comparisons with the height of the network. */
const LEAD_INTERVAL_MS = 1_000

/** The chain of a node in a network. It connects to peers, bootstraps the chain and follows it. */
export class JoinedChain {
  readonly #options: JoinedChainOptions
  readonly #state: StatePort
  readonly #failures: StoreFailures
  readonly status: JoinedStatus
  readonly #reportProgress: ReturnType<typeof bootstrapReport>
  /** The transactions that were issued here. */
  readonly mempool: NetworkMempool
  #nextWarning = 0
  #nextLead = 0
  readonly #loop: WorkLoop
  readonly #logValidation: (validation: Validation) => void
  readonly #signatures: SignaturePool
  #blocksProposed = 0
  /** Whether the last engine followed, as the next one does. */
  #isFollowing = false

  constructor(options: JoinedChainOptions) {
    const { store, wall, identity } = options
    this.#options = options
    // Timeouts and intervals are measured with a monotonic clock, so that they survive a step of the machine's clock.
    const ahead = wall() - performance.now()
    const steadyNow = () => performance.now() + ahead
    this.#failures = new StoreFailures(options.log, steadyNow)
    this.#state = this.#failures.stateOf(store)
    this.status = new JoinedStatus(options, steadyNow, this.#openOuter())
    this.#logValidation = validationLog(options.log)
    this.#signatures = new SignaturePool({
      count: defaultSignatureThreads(),
      onLost: (reason, left) => options.log.warn("a thread that checks signatures ended", { reason, left }),
    })
    this.#loop = new WorkLoop({
      tick: () => this.#tick(),
      handle: (isOutOfTime) => this.status.peers?.work(this.status.steadyNow(), isOutOfTime) ?? false,
      execute: (isOutOfTime) =>
        !this.#failures.isWaiting && (this.status.engine?.work(this.status.steadyNow(), isOutOfTime) ?? false),
      failed: (error) => this.#failed(error),
    })
    this.#reportProgress = bootstrapReport({
      log: options.log,
      now: steadyNow,
      beaconWarningMs: options.network.chain.beaconWarningMs,
      watch: options.onSync,
    })
    this.mempool = new NetworkMempool({
      node: this.status,
      random: systemRandom,
      soon: (callback) => void setImmediate(callback),
      sign: (message) => bls().sign(identity.secret, message),
      // It may be this node's turn to build a block.
      onAdmitted: () => {
        if (!this.#failures.isWaiting) this.#loop.guarded(() => this.status.engine?.propose(this.status.steadyNow()))
      },
      onFault: (error) => options.reportFault(error, "transaction of a peer"),
    })
  }

  /** Number of blocks that this node has proposed since it started. */
  get blocksProposed(): number {
    return this.#blocksProposed
  }

  /** Listens, dials, and starts to catch up. */
  async start(): Promise<void> {
    const opened = await openPeers(this.#options, {
      now: this.status.steadyNow,
      onReceived: () => this.#loop.handleSoon(),
      connected: (nodeID) => this.#connected(nodeID),
      disconnected: (nodeID) => this.#disconnected(nodeID),
      message: (nodeID, message, now) => this.#message(nodeID, message, now),
      fault: (nodeID, error) => this.#options.reportFault(error, `connection to ${nodeIDText(nodeID)}`),
      uptimeOf: (nodeID) => Math.floor(this.status.uptimeOf(nodeID).uptime * 100),
    })
    this.status.opened = opened
    this.status.engine = this.#openEngine(opened.peers, false)
    this.#loop.start()
  }

  async stop(): Promise<void> {
    this.#loop.stop()
    this.status.uptimes.stop(this.status.now())
    this.#signatures.stop()
    await this.status.opened?.sockets.stop()
    this.#loop.guarded(() => this.status.engine?.flush())
  }

  /** Opens the chain on the disk with its wrappers, as other nodes know it. */
  #openOuter(): OuterChain {
    return new OuterChain(new Chain({ rules: this.#options.data.rules, state: this.#state, project }))
  }

  #openEngine(peers: Peers, isFollowing: boolean): Engine {
    const { log, bootstrappers, parameters, network } = this.#options
    const { timeouts, bench, chain: settings } = network
    const engine = new Engine({
      chain: this.status.outer,
      state: this.#state,
      beacons: bootstrappers.map(({ nodeID }) => nodeID),
      parameters,
      timeouts,
      bench,
      settings,
      random: systemRandom,
      followsFrom: isFollowing ? this.status.steadyNow() : undefined,
      unixSeconds: () => this.status.now(),
      validator: validatorOptions(this.#options, this.mempool.pool, () => this.status.recommendedHeight()),
      port: {
        send: (nodeID, message) => peers.send(nodeID, message),
        validators: (validators) => {
          peers.setValidators(validators)
          if (this.status.isBootstrapped) this.#logValidation(this.status.validation)
        },
        accepted: (blocks) => this.#accepted(blocks),
        bootstrapped: () => this.#bootstrapped(),
        benched: (nodeID) => this.status.uptimes.disconnected(nodeID, this.status.now()),
        released: (nodeID) => {
          if (peers.isConnected(nodeID)) this.status.uptimes.connected(nodeID, this.status.now())
        },
        app: (nodeID, message) => this.mempool.message(nodeID, message),
        uptimeOf: (nodeID) => this.status.uptimeOf(nodeID).uptime,
        // Nothing waits for them: the chain recovers those that it does not know.
        recoverAhead: (blocks) => void recoverSignersAhead(this.#signatures, this.status.outer.chain, blocks),
        proposed: ({ height, inner }) => {
          this.#blocksProposed++
          log.debug("proposed a block", { height: height.toString(), txs: txsOf(inner).length })
        },
        postponed: (report) => this.#postponed(report),
        halted: (report) =>
          log.error("the network accepted a block that breaks a rule here", { ...report, remedy: remedyOf(report.rule) }),
      },
    })
    for (const { nodeID } of peers.status()) engine.connected(nodeID)
    return engine
  }

  #postponed({ height, blockID, reason }: RefusedBlock): void {
    const now = this.status.steadyNow()
    if (now < this.#nextWarning) return
    this.#nextWarning = now + WARNING_INTERVAL_MS
    this.#options.log.warn("a block is from the future: is this machine's clock behind?", { height, blockID, reason })
  }

  #connected(nodeID: NodeID): void {
    this.#loop.guarded(() => {
      if (!this.status.engine?.bench.isBenched(nodeID)) this.status.uptimes.connected(nodeID, this.status.now())
      this.status.engine?.connected(nodeID)
    })
  }

  #disconnected(nodeID: NodeID): void {
    this.#loop.guarded(() => {
      this.status.uptimes.disconnected(nodeID, this.status.now())
      this.status.engine?.disconnected(nodeID, this.status.steadyNow())
    })
  }

  /** Handles a message of a peer. A fault is thrown, because it also ends the connection to the peer, but for one in the work that the message completed. */
  #message(nodeID: NodeID, message: ChainMessage, now: number): void {
    try {
      this.#handle(nodeID, message, now)
    } catch (error) {
      if (error instanceof AcceptFault) {
        this.#loop.fail(error)
        return
      }
      const isFault = !this.#failures.hasRecorded(error)
      this.#loop.guarded(() => this.#goBackToDisk())
      // A refusal that the engine did not expect would only end the connection.
      if (isFault) throw error instanceof Invalid ? new Error(`unexpected refusal: ${error.code}`, { cause: error }) : error
    }
  }

  #handle(nodeID: NodeID, message: ChainMessage, now: number): void {
    if (this.status.engine && !this.#failures.isWaiting && !this.#loop.isPaused) {
      this.status.engine.message(nodeID, message, now, outOfTimeAfter(this.#options.network.chain.ancestorsMs))
      return
    }
    const { maxAncestorsSent, ancestorsMs } = this.#options.network.chain
    const limits = { maxAncestors: maxAncestorsSent, isOutOfTime: outOfTimeAfter(ancestorsMs) }
    const answer = answerAboutChain(message, this.status.outer, limits)
    if (answer) this.status.peers?.send(nodeID, answer)
  }

  #tick(): void {
    const now = this.status.steadyNow()
    this.status.peers?.tick(now)
    this.status.opened?.sockets.tick(now)
    this.status.uptimes.tick(now)
    this.#noteLead(now)
    if (this.#failures.isWaiting) return
    if (!this.status.engine) this.#goBackToDisk()
    this.status.engine?.tick(now)
    if (this.status.isBootstrapped) this.mempool.tick(now)
    this.#reportProgress(this.status.engine?.progress, this.status.peers?.status().length ?? 0)
  }

  #noteLead(now: number): void {
    if (now < this.#nextLead) return
    this.#nextLead = now + LEAD_INTERVAL_MS
    const { lead, engine, lastAccepted } = this.status
    lead.note(engine?.consensus?.connectedMajorityHeight, lastAccepted.height, now)
  }

  #accepted(blocks: readonly OuterBlock[]): void {
    const now = this.status.steadyNow()
    this.status.lastAcceptedAt = now
    for (const { height, inner } of blocks) {
      this.status.recent.add(height, now)
      this.mempool.accepted(inner)
      this.#options.stateChanged({ kind: "block", block: inner })
    }
  }

  #bootstrapped(): void {
    this.#options.log.info("bootstrapped", { height: this.status.outer.lastAccepted.height.toString() })
    this.#signatures.stop()
    this.status.uptimes.startTracking(this.status.now())
    this.#logValidation(this.status.validation)
    // Blocks of the bootstrap are not reported one by one. Snapshots and answers of earlier states are dropped.
    this.#options.stateChanged({ kind: "override" })
  }

  /** Records a failed write, or reports a fault. Returns whether the error is a fault. */
  #isFault(error: unknown): boolean {
    if (this.#failures.hasRecorded(error)) return false
    this.status.lastFault = { error, at: this.status.steadyNow() }
    this.#options.reportFault(error, "chain")
    return true
  }

  /** Continues from the disk after an error, later if the store cannot be written. Returns whether it is a fault, after which only the disk is trusted. */
  #failed(error: unknown): boolean {
    const isFault = this.#isFault(error)
    try {
      this.#goBackToDisk()
    } catch (again) {
      return this.#isFault(again) || isFault
    }
    return isFault
  }

  /** Drops the engine, and with it the list of the validators that it benched, which are online again. */
  #dropEngine(): void {
    const { engine, peers, uptimes } = this.status
    if (!engine) return
    for (const nodeID of engine.bench.benched) if (peers?.isConnected(nodeID)) uptimes.connected(nodeID, this.status.now())
    this.#isFollowing = engine.isBootstrapped
    this.status.engine = undefined
  }

  /** Continues from the disk, and drops everything else. Reads and peers are answered meanwhile. The next tick tries it again if it fails. */
  #goBackToDisk(): void {
    const peers = this.status.peers
    if (!peers || !this.#loop.isRunning) return
    this.#dropEngine()
    this.status.outer = this.#openOuter()
    this.status.engine = this.#openEngine(peers, this.#isFollowing)
    const { inner, height } = this.status.outer.lastAccepted
    this.#options.stateChanged({ kind: "revert", id: inner.id, height })
  }
}
