import type { ParseCertificate } from "../../crypto/certificate.js"
import { certificateCache } from "../../crypto/certificateCache.js"
import type { Invalid } from "../../lib/invalid.js"
import { wholeSeconds } from "../../lib/wholeSeconds.js"
import { randomIndex } from "../../p2p/random.js"
import type { ChainMessage } from "../../p2p/session.js"
import { type ID, idText, type NodeID } from "../../types/id.js"
import { get, idIn, pullQuery, type RequestHeader } from "../chainMessages.js"
import { type OuterBlock, type OuterHeader, readHeader } from "../proposer/outerBlock.js"
import { hasTime } from "../responder.js"
import { Snowman } from "../snowman/snowman.js"
import type { Stake } from "../snowman/stake.js"
import type { FollowerOptions } from "./followerPort.js"
import { Issuer } from "./issuer.js"
import { Polling } from "./polling.js"
import { RefusedBlocks, type RefusedHeader } from "./refusedBlocks.js"
import { type RequestPurpose, ValidatorRequests } from "./validatorRequests.js"
import { Withholders } from "./withholders.js"

/** Decides by polling the validators: Snowman with messages. A node that validates also answers for itself and issues blocks of its own. */
export class Follower {
  readonly #parseCertificate: ParseCertificate
  readonly #options: FollowerOptions
  readonly #snowman: Snowman
  readonly #issuer: Issuer
  readonly #polling: Polling
  readonly #requests: ValidatorRequests
  readonly #refused = new RefusedBlocks()
  readonly #withholders = new Withholders()
  /** Times at which the undecided blocks were issued, oldest first. */
  readonly #issuedAt = new Map<ID, number>()
  /** Undecided blocks that this node built. They are pushed, because no other node has them. */
  readonly #built = new Set<ID>()
  #now = 0
  #nextPoll = 0
  #isHalted = false
  #keptPreference: ID | undefined

  constructor(options: FollowerOptions, stake: Stake, connected: Iterable<NodeID>, now: number) {
    const { chain, parameters, port } = options
    this.#options = options
    this.#parseCertificate = certificateCache(chain.chain.rules.crypto.parseCertificate)
    this.#requests = new ValidatorRequests(options, stake, connected)
    this.#now = now
    this.#snowman = new Snowman(parameters, chain.lastAccepted)
    this.#issuer = new Issuer(chain, this.#snowman, {
      nowSeconds: () => options.unixSeconds?.() ?? wholeSeconds(this.#now),
      requestBlock: (id, from) => this.#requestBlock(id, from),
      isWithholding: (nodeID) => this.#isWithholding(nodeID),
      resolved: (id) => this.#polling.resolved(id),
      issued: (block) => this.#issued(block),
      refused: (block, reason, from) => this.#noteRefusal(block, reason, from),
      optionsOf: (proposal) => port.optionsOf(proposal),
      stakeShareOf: (nodeID) => this.#requests.stake.shareOf(nodeID),
    })
    this.#polling = new Polling(options, {
      requests: this.#requests,
      snowman: this.#snowman,
      issuer: this.#issuer,
      isWithholding: (nodeID) => this.#isWithholding(nodeID),
    })
    // An accepted proposal has no other children than its options.
    for (const option of port.optionsOf(chain.lastAccepted)) this.#issuer.offer(option)
    for (const block of options.restored ?? []) this.#issuer.offer(block)
  }

  /** Number of undecided blocks. */
  get processingCount(): number {
    return this.#snowman.processingCount
  }

  /** Time at which the oldest undecided block was issued, Unix milliseconds. */
  get oldestIssuedAt(): number | undefined {
    return this.#issuedAt.values().next().value
  }

  get pollsStarted(): number {
    return this.#polling.started
  }

  get pollsPending(): number {
    return this.#polling.pending
  }

  /** The requests that wait for an answer. */
  get requests(): ValidatorRequests["open"] {
    return this.#requests.open
  }

  /** The tip of the preferred branch. */
  get preference(): ID {
    return this.#snowman.preference
  }

  /** The undecided block on the preferred branch at a height. */
  preferredAt(height: bigint): ID | undefined {
    return this.#snowman.preferredAt(height)
  }

  /** The stake of connected validators that are not benched, and of all. */
  get connectedStake(): { readonly connected: bigint; readonly total: bigint } {
    return this.#requests.connectedStake
  }

  /** The stake of a validator; zero for other nodes. */
  weightOf(nodeID: NodeID): bigint {
    return this.#requests.stake.weightOf(nodeID)
  }

  /** The height that validators with more than half of the stake report as accepted; `undefined` if too few have reported. */
  get majorityHeight(): bigint | undefined {
    return this.#polling.tips.majorityHeight(this.#requests.stake)
  }

  setStake(stake: Stake): void {
    this.#requests.stake = stake
  }

  connected(nodeID: NodeID): void {
    this.#requests.connected(nodeID)
  }

  disconnected(nodeID: NodeID, now: number): void {
    this.#now = now
    for (const { requestID, data } of this.#requests.disconnected(nodeID)) this.#failed(nodeID, requestID, data)
    this.#settle()
  }

  /** Issues a block that this node built, and pushes it to validators. */
  propose(block: OuterBlock, now: number): void {
    if (this.#isHalted) return
    this.#now = now
    this.#built.add(block.id)
    this.#issuer.offer(block)
    this.#settle()
  }

  /** Takes a message about the P-Chain that is not answered from accepted blocks alone. */
  message(nodeID: NodeID, message: ChainMessage, now: number): void {
    if (this.#isHalted) return
    this.#now = now
    if (message.case === "chits") this.#chits(nodeID, message.value)
    else if (message.case === "put") this.#put(nodeID, message.value)
    else if (message.case === "pullQuery" && hasTime(message)) this.#pullQuery(nodeID, message.value)
    else if (message.case === "pushQuery" && hasTime(message)) this.#pushQuery(nodeID, message.value)
    this.#settle()
  }

  /** Does the work that is due: ends requests that timed out, polls while something is undecided, and otherwise asks one validator. */
  tick(now: number): void {
    if (this.#isHalted) return
    this.#now = now
    for (const { nodeID, requestID, data } of this.#requests.expired(now)) {
      if (data.kind === "get") this.#withholders.add(nodeID, now)
      this.#failed(nodeID, requestID, data)
    }
    this.#settle()
    if (now < this.#nextPoll) return
    this.#nextPoll = now + this.#options.settings.frontierPollMs
    if (this.#snowman.processingCount === 0) this.#askOne()
  }

  #isWithholding(nodeID: NodeID): boolean {
    return this.#withholders.has(nodeID, this.#now)
  }

  #requestBlock(id: ID, from: NodeID): boolean {
    const message = (header: RequestHeader) => get(header, id)
    return this.#requests.ask(from, { purpose: { kind: "get", id }, answer: "put", message }, this.#now)
  }

  /** Other nodes do not report new blocks to a node that does not validate, so it asks one validator after the other for its preference. */
  #askOne(): void {
    const reachable = this.#requests.reachable()
    const nodeID = reachable[randomIndex(this.#options.random, reachable.length)]
    if (nodeID === undefined) return
    const height = this.#options.chain.lastAccepted.height + 1n
    const message = (header: RequestHeader) => pullQuery(header, this.#snowman.preference, height)
    this.#requests.ask(nodeID, { purpose: { kind: "idle" }, answer: "chits", message }, this.#now)
  }

  #chits(nodeID: NodeID, chits: Extract<ChainMessage, { case: "chits" }>["value"]): void {
    const purpose = this.#requests.answered(nodeID, chits.requestId, "chits", this.#now)
    if (!purpose || purpose.kind === "benched") return
    const preferred = idIn(chits.preferredId)
    const atHeight = idIn(chits.preferredIdAtHeight)
    const accepted = idIn(chits.acceptedId)
    if (preferred === undefined || atHeight === undefined || accepted === undefined) {
      this.#failed(nodeID, chits.requestId, purpose)
      return
    }
    this.#polling.tips.set(nodeID, { id: accepted, height: chits.acceptedHeight })
    this.#noteAccepted(nodeID, atHeight, chits.acceptedHeight)
    this.#polling.vote(nodeID, purpose.kind === "poll" ? chits.requestId : undefined, [...new Set([preferred, atHeight])])
  }

  #put(nodeID: NodeID, { requestId, container }: Extract<ChainMessage, { case: "put" }>["value"]): void {
    const purpose = this.#requests.answered(nodeID, requestId, "put", this.#now)
    if (purpose?.kind !== "get") return
    const block = this.#read(container)
    if (block?.id === purpose.id) this.#issuer.offer(block, nodeID)
    else {
      this.#withholders.add(nodeID, this.#now)
      this.#issuer.fetchFailed(purpose.id, nodeID)
    }
  }

  /** Reads a block of a message. It is copied, because a small block could keep a large message in memory. */
  #read(container: Uint8Array): OuterHeader | undefined {
    const options = { parseCertificate: this.#parseCertificate }
    return readHeader(container.slice(), this.#options.chain.hasBareBlocks, options)
  }

  #pullQuery(nodeID: NodeID, query: Extract<ChainMessage, { case: "pullQuery" }>["value"]): void {
    const id = idIn(query.containerId)
    if (id === undefined) return
    this.#options.port.send(nodeID, this.#options.port.chits(query))
    this.#issuer.ensure(id, nodeID)
  }

  #pushQuery(nodeID: NodeID, query: Extract<ChainMessage, { case: "pushQuery" }>["value"]): void {
    this.#options.port.send(nodeID, this.#options.port.chits(query))
    const block = this.#read(query.container)
    if (block) this.#issuer.offer(block, nodeID)
  }

  #failed(nodeID: NodeID, requestID: number, purpose: RequestPurpose): void {
    if (purpose.kind === "get") this.#issuer.fetchFailed(purpose.id, nodeID)
    if (purpose.kind === "poll") this.#polling.failed(nodeID, requestID)
  }

  #issued(block: OuterBlock): void {
    this.#refused.forget(block.id)
    this.#issuedAt.set(block.id, this.#now)
    // The options of a proposal of this node are its own too.
    if (this.#built.has(block.parentID) && block.wrapper?.kind === "ProposerVMOption") this.#built.add(block.id)
    if (!this.#snowman.isPreferred(block.id)) return
    this.#polling.start(block.id, this.#built.has(block.id) ? block.bytes : undefined, this.#now)
  }

  /** Applies the results of finished polls, and starts enough polls while something is undecided. */
  #settle(): void {
    for (;;) {
      const votes = this.#polling.takeFinished()
      if (!votes) break
      const { accepted, rejected } = this.#snowman.recordPoll(votes)
      if (accepted.length > 0) this.#accept(accepted)
      for (const id of rejected) this.#options.chain.reject(id)
      for (const id of [...accepted, ...rejected]) this.#forget(id)
      if (accepted.length > 0) this.#issuer.prune()
    }
    this.#keepPreference()
    const { concurrentRepolls } = this.#options.parameters
    for (let i = this.#polling.pending; i < concurrentRepolls && this.#snowman.processingCount > 0; i++) {
      this.#polling.start(this.#snowman.preference, undefined, this.#now)
    }
  }

  #keepPreference(): void {
    const { preference } = this.#snowman
    if (preference === this.#keptPreference) return
    this.#keptPreference = preference
    const { chain, port } = this.#options
    const branch: OuterBlock[] = []
    for (let block = chain.processing(preference); block; block = chain.processing(block.parentID)) branch.unshift(block)
    port.preferred?.(branch)
  }

  #forget(id: ID): void {
    this.#issuedAt.delete(id)
    this.#built.delete(id)
  }

  #accept(ids: readonly ID[]): void {
    const blocks = ids.map((id) => this.#options.chain.accept(id))
    this.#refused.forgetUpTo(this.#options.chain.lastAccepted.height)
    this.#options.port.accepted(blocks)
  }

  /**
   * Remembers a refused block. One that this node's clock refuses, or that follows an undecided block and is refused because of this node's
   * height, may be valid later: it is fetched again when a validator names it. So is one of a node without stake, which could send any number
   * of them.
   */
  #noteRefusal(block: RefusedHeader, reason: Invalid, from: NodeID | undefined): void {
    if (from === undefined || this.weightOf(from) === 0n) return
    const followsAccepted = block.parentID === this.#options.chain.lastAccepted.id
    if (reason.dependsOn === "clock" || (reason.dependsOn === "height" && !followsAccepted)) return
    this.#refused.add(block, reason)
  }

  /**
   * Verifies a refused block once more if validators with enough stake to decide have accepted it, and stops following if it is refused
   * again.
   */
  #noteAccepted(nodeID: NodeID, atHeight: ID, acceptedHeight: bigint): void {
    const { chain, parameters, port } = this.#options
    if (acceptedHeight <= chain.lastAccepted.height) return
    const { stake } = this.#requests
    const refused = this.#refused.acceptedElsewhere(nodeID, atHeight)
    if (!refused) return
    if (stake.weightOfAll(refused.by) * BigInt(parameters.k) < stake.total * BigInt(parameters.alphaConfidence)) return
    const { block } = refused
    this.#refused.forget(block.id)
    const header = this.#read(block.bytes)
    if (header) this.#issuer.offer(header, nodeID)
    const reason = this.#refused.reasonOf(block.id)
    if (!reason) return
    this.#isHalted = true
    port.halted({ height: block.height, blockID: idText(block.id), rule: reason.code, reason: reason.message })
  }
}
