import { Invalid } from "../../lib/invalid.js"
import { wholeSeconds } from "../../lib/wholeSeconds.js"
import type { ChainMessage, OutgoingMessage } from "../../p2p/message.js"
import { currentSet } from "../../rules/validatorSet.js"
import { lastSetChange } from "../../state/setChanges.js"
import { idText, type NodeID, PRIMARY_NETWORK_ID } from "../../types/id.js"
import { isAppMessage } from "../app/envelope.js"
import { type BootstrapProgress, Bootstrapper } from "../bootstrap/bootstrapper.js"
import { isAboutPChain } from "../chainMessages.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import { answerAboutChain, chitsOf, type VoteQuery } from "../responder.js"
import { Stake } from "../snowman/stake.js"
import { PreferredBlocks } from "../validator/preferredBlocks.js"
import { Proposer } from "../validator/proposer.js"
import { SignedBlocks } from "../validator/signedBlocks.js"
import { BenchList, defaultBenchSettings } from "./benchList.js"
import { Consensus } from "./consensus.js"
import { type ChainSettings, defaultChainSettings, type EngineOptions } from "./enginePort.js"
import type { RefusedBlock } from "./refusedBlocks.js"
import { MAX_AHEAD } from "./undecidedBlocks.js"

/** Milliseconds between two comparisons with the height of the validators. */
const LOOK_INTERVAL_MS = 1_000

/** Runs the P-Chain of a node: bootstraps the chain, then follows it, and answers other nodes about it. Times are Unix milliseconds. */
export class Engine {
  readonly #options: EngineOptions
  readonly #connected = new Set<NodeID>()
  readonly bench: BenchList
  readonly #settings: ChainSettings
  #bootstrapper: Bootstrapper | undefined
  #consensus: Consensus | undefined
  #proposer: Proposer | undefined
  #report: RefusedBlock | undefined
  /** The stake of the primary network's validators, and the height of the block that changed them last. */
  #stake = new Stake(new Map())
  #stakeChangedAt: bigint | undefined
  /** True once the chain has reached that of the beacons. */
  #hasFollowed = false
  #unwritten = 0
  #nextLook = 0

  constructor(options: EngineOptions) {
    this.#options = options
    this.#settings = options.settings ?? defaultChainSettings
    const { parameters, port, bench = defaultBenchSettings } = options
    this.bench = new BenchList({ ...bench, maxShare: (1 - parameters.alphaConfidence / parameters.k) / 3 }, port)
    this.#readValidators()
    const { total } = this.#beacons
    if (options.followsFrom !== undefined) this.#follow(options.followsFrom)
    else this.#bootstrapper = this.#newBootstrapper(this.#beacons, (3n * total + 3n) / 4n)
  }

  get isBootstrapped(): boolean {
    return this.#bootstrapper === undefined
  }

  /** Progress of bootstrapping; `undefined` once it is done. */
  get progress(): BootstrapProgress | undefined {
    return this.#bootstrapper?.progress
  }

  get consensus(): Consensus | undefined {
    return this.#consensus
  }

  /** The open requests about the chain: their number, and the time at which the oldest was sent. */
  get openRequests(): { readonly count: number; readonly oldestSentAt: number | undefined } {
    return this.#bootstrapper?.requests ?? this.#consensus?.requests.open ?? { count: 0, oldestSentAt: undefined }
  }

  /** The block because of which following ended. */
  get haltedBy(): RefusedBlock | undefined {
    return this.#report
  }

  /** True if this node votes and proposes: it may, and it is among the validators of the last accepted state. */
  get isValidating(): boolean {
    const own = this.#options.validator?.key.nodeID
    return own !== undefined && this.#consensus !== undefined && this.#consensus.requests.stake.weightOf(own) > 0n
  }

  connected(nodeID: NodeID): void {
    this.#connected.add(nodeID)
    this.#bootstrapper?.connected(nodeID)
    this.#consensus?.requests.connected(nodeID)
  }

  disconnected(nodeID: NodeID, now: number): void {
    this.#connected.delete(nodeID)
    this.#halting(() => this.#bootstrapper?.disconnected(nodeID, now))
    this.#consensus?.disconnected(nodeID, now)
  }

  /** A message about a chain arrived. `isOutOfTime` ends long answers. */
  message(nodeID: NodeID, message: ChainMessage, now: number, isOutOfTime: () => boolean): void {
    if (!("chainId" in message.value) || !isAboutPChain(message.value)) return
    const answer = this.#answer(nodeID, message, isOutOfTime)
    if (answer) this.#options.port.send(nodeID, answer)
    else if (this.#bootstrapper) this.#halting(() => this.#bootstrapper?.message(nodeID, message, now))
    else this.#consensus?.message(nodeID, message, now)
    this.propose(now)
  }

  /** Builds a block if it is this node's turn and something waits. Called after every input, and when transactions have arrived. */
  propose(now: number): void {
    const consensus = this.#consensus
    if (!consensus || !this.#proposer || this.#report || !this.isValidating) return
    if (consensus.tree.processingCount >= this.#settings.optimalProcessing) return
    const { chain } = this.#options
    const block = this.#proposer.blockOn(chain.processing(consensus.tree.preference) ?? chain.lastAccepted)
    if (!block) return
    this.#options.port.proposed?.(block)
    consensus.propose(block, now)
  }

  tick(now: number): void {
    this.#halting(() => this.#bootstrapper?.tick(now))
    this.bench.tick(now)
    this.#consensus?.tick(now)
    this.propose(now)
    if (now < this.#nextLook) return
    this.#nextLook = now + LOOK_INTERVAL_MS
    if (this.#hasFollowed && this.#bootstrapper?.lacksBeacons) this.#follow(now)
    else if (this.#isFarBehind) this.#bootstrapAgain()
  }

  /** True if validators with more than half of the stake are too far ahead to fetch the blocks in between one by one. */
  get #isFarBehind(): boolean {
    const ahead = this.#consensus?.majorityHeight
    return ahead !== undefined && !this.#report && ahead > this.#options.chain.lastAccepted.height + MAX_AHEAD
  }

  /**
   * Bootstraps once more, from the validators of the last accepted state, which the node followed so far, or from the beacons. If too few of
   * either are connected, the node waits as it is.
   */
  #bootstrapAgain(): void {
    for (const beacons of [this.#stake, this.#beacons]) {
      const majority = beacons.total / 2n + 1n
      if (beacons.weightOfAll(this.#connected) < majority) continue
      this.#consensus = undefined
      this.#bootstrapper = this.#newBootstrapper(beacons, majority)
      return
    }
  }

  /** The beacons, each with the same weight. */
  get #beacons(): Stake {
    return new Stake(new Map(this.#options.beacons.map((nodeID) => [nodeID, 1n])))
  }

  /** Executes fetched blocks for a while. Returns true if more are ready. */
  work(now: number, isOutOfTime: () => boolean): boolean {
    const bootstrapper = this.#bootstrapper
    if (!bootstrapper || this.#report) return false
    const { chain } = this.#options
    const before = chain.lastAccepted.height
    let hasMore = false
    this.#halting(() => {
      const nowSeconds = this.#options.unixSeconds?.() ?? wholeSeconds(now)
      hasMore = bootstrapper.execute(nowSeconds, isOutOfTime)
    })
    this.#unwritten += Number(chain.lastAccepted.height - before)
    if (!hasMore || chain.chain.isGroupFull) this.flush()
    if (!bootstrapper.isDone) return hasMore
    this.#follow(now)
    this.#options.port.bootstrapped()
    return false
  }

  flush(): void {
    if (this.#unwritten === 0) return
    this.#options.chain.chain.flush()
    this.#unwritten = 0
    this.#readValidators()
  }

  #newBootstrapper(beacons: Stake, leastConnected: bigint): Bootstrapper {
    const { port } = this.#options
    const bootstrapper = new Bootstrapper({
      ...this.#options,
      beacons,
      leastConnected,
      maxAncestors: this.#settings.maxAncestorsReceived,
      send: (nodeID, message) => port.send(nodeID, message),
      recoverAhead: port.recoverAhead && ((blocks) => port.recoverAhead?.(blocks)),
    })
    for (const nodeID of this.#connected) bootstrapper.connected(nodeID)
    return bootstrapper
  }

  #follow(now: number): void {
    this.#bootstrapper = undefined
    this.#hasFollowed = true
    const { chain, state, port, validator } = this.#options
    this.#proposer = validator && new Proposer({ ...validator, chain, signed: new SignedBlocks(state) })
    const preferred = validator && new PreferredBlocks(state)
    const options = {
      ...this.#options,
      settings: this.#settings,
      bench: this.bench,
      own: validator?.key.nodeID,
      restored: preferred?.above(chain.lastAccepted.height),
      port: {
        send: port.send,
        chits: (query: VoteQuery) => this.#chits(query),
        optionsOf: (proposal: OuterBlock) => {
          const options = chain.optionsOf(proposal, port.uptimeOf)
          return preferred?.storedFirst(options) ?? options
        },
        accepted: (blocks: readonly OuterBlock[]) => this.#accepted(blocks),
        halted: (report: RefusedBlock) => this.#halt(report),
        preferred: (branch: readonly OuterBlock[]) => {
          if (this.isValidating) preferred?.keep(branch)
        },
      },
    }
    this.#consensus = new Consensus(options, this.#stake, this.#connected, now)
  }

  #chits(query: VoteQuery): OutgoingMessage {
    const { chain } = this.#options
    return chitsOf(query, chain, this.isValidating ? this.#consensus?.tree : undefined)
  }

  #accepted(blocks: readonly OuterBlock[]): void {
    this.#options.chain.chain.flush()
    this.#readValidators()
    this.#options.port.accepted(blocks)
  }

  #answer(nodeID: NodeID, message: ChainMessage, isOutOfTime: () => boolean): OutgoingMessage | undefined {
    if (!isAppMessage(message))
      return answerAboutChain(message, this.#options.chain, { maxAncestors: this.#settings.maxAncestorsSent, isOutOfTime })
    return this.#options.port.app?.(nodeID, message)
  }

  /** Reads the validators if accepted blocks have changed them, and reports them. */
  #readValidators(): void {
    const { state, rules } = this.#options.chain.chain
    const changedAt = lastSetChange(state, PRIMARY_NETWORK_ID) ?? 0n
    if (changedAt === this.#stakeChangedAt) return
    this.#stakeChangedAt = changedAt
    const set = currentSet(state, PRIMARY_NETWORK_ID)
    this.#stake = new Stake(new Map([...set].map(([nodeID, { weight }]) => [nodeID, weight])))
    if (this.#consensus) this.#consensus.requests.stake = this.#stake
    const infoOf = (publicKey: Uint8Array | undefined, weight: bigint) => ({
      weight,
      publicKey: publicKey && rules.crypto.bls.compressKey(publicKey),
    })
    this.#options.port.validators(new Map([...set].map(([id, { weight, publicKey }]) => [id, infoOf(publicKey, weight)])))
  }

  /**
   * While bootstrapping, blocks come from a majority of the beacons, so one that breaks a rule ends it. One that this node's clock refuses
   * does not: it is verified again until it passes.
   */
  #halting(action: () => void): void {
    try {
      action()
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      const height = this.#options.chain.lastAccepted.height + 1n
      const next = this.#bootstrapper?.next
      const blockID = error.data.blockID ?? (next ? idText(next.id) : "")
      const report = { height, blockID: String(blockID), rule: error.code, reason: error.message }
      if (error.dependsOn === "clock") this.#options.port.postponed?.(report)
      else this.#halt(report)
    }
  }

  #halt(report: RefusedBlock): void {
    if (this.#report) return
    this.#report = report
    this.#options.port.halted(report)
  }
}
