import { certificateCache } from "../../crypto/certificateCache.js"
import type { OutgoingMessage } from "../../p2p/message.js"
import { randomIndex } from "../../p2p/random.js"
import type { ChainMessage } from "../../p2p/session.js"
import { type ID, idText, type NodeID } from "../../types/id.js"
import { readOrUndefined } from "../bootstrap/fetcher.js"
import { get, idIn, pullQuery, type RequestHeader } from "../chainMessages.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import { hasTime } from "../responder.js"
import { Poll, Polls } from "../snowman/poll.js"
import { Snowman } from "../snowman/snowman.js"
import type { Stake } from "../snowman/stake.js"
import { AcceptedTips } from "./acceptedTips.js"
import type { FollowerOptions } from "./followerPort.js"
import { Issuer } from "./issuer.js"
import { RefusedBlocks } from "./refusedBlocks.js"
import { type Asked, ValidatorRequests } from "./validatorRequests.js"
import { type Vote, WaitingVotes } from "./waitingVotes.js"

const POLL_INTERVAL_MS = 100

/** Decides by polling the validators: Snowman with messages, for a node that does not validate itself. */
export class Follower {
  readonly #parseCertificate = certificateCache()
  readonly #options: FollowerOptions
  readonly #snowman: Snowman
  readonly #issuer: Issuer
  readonly #polls = new Polls()
  readonly #requests: ValidatorRequests
  readonly #tips = new AcceptedTips()
  readonly #votes = new WaitingVotes()
  readonly #refused = new RefusedBlocks()
  /** When each undecided block was issued, oldest first. */
  readonly #issuedAt = new Map<ID, number>()
  #now = 0
  #nextPoll = 0
  #isHalted = false

  constructor(options: FollowerOptions, stake: Stake, connected: Iterable<NodeID>, now: number) {
    const { chain, parameters, port } = options
    this.#options = options
    this.#requests = new ValidatorRequests(options, stake, connected)
    this.#now = now
    this.#snowman = new Snowman(parameters, chain.lastAccepted)
    this.#issuer = new Issuer(chain, this.#snowman, {
      nowSeconds: () => options.unixSeconds?.() ?? BigInt(Math.floor(this.#now / 1000)),
      requestBlock: (id, from) => this.#requestBlock(id, from),
      resolved: (id) => {
        for (const vote of this.#votes.resolved(id)) this.#cast(vote)
      },
      issued: (block) => this.#issued(block),
      refused: (block, reason) => this.#refused.add(block, reason),
      optionsOf: (proposal) => port.optionsOf(proposal),
    })
    // An accepted proposal has no other children than its options.
    for (const option of port.optionsOf(chain.lastAccepted)) this.#issuer.offer(option, "" as NodeID)
  }

  /** How many blocks are undecided. */
  get processingCount(): number {
    return this.#snowman.processingCount
  }

  /** When the oldest undecided block was issued, Unix milliseconds. */
  get oldestIssuedAt(): number | undefined {
    return this.#issuedAt.values().next().value
  }

  get pollsStarted(): number {
    return this.#polls.started
  }

  get pollsPending(): number {
    return this.#polls.count
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
    const { stake } = this.#requests
    return { connected: stake.weightOfAll(this.#requests.reachable()), total: stake.total }
  }

  /** The height that validators with more than half of the stake say they have accepted; `undefined` where too few have said. */
  get majorityHeight(): bigint | undefined {
    return this.#tips.majorityHeight(this.#requests.stake)
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

  /** Does what is due: requests that ran out; polls while something is undecided, else a question to one validator. */
  tick(now: number): void {
    if (this.#isHalted) return
    this.#now = now
    for (const { nodeID, requestID, data } of this.#requests.expired(now)) this.#failed(nodeID, requestID, data)
    this.#settle()
    if (now < this.#nextPoll) return
    this.#nextPoll = now + POLL_INTERVAL_MS
    if (this.#snowman.processingCount === 0) this.#askOne()
  }

  #requestBlock(id: ID, from: NodeID): boolean {
    const message = (header: RequestHeader) => get(header, id)
    return this.#requests.ask(from, { asked: { kind: "get", id }, answer: "put", message }, this.#now)
  }

  /** Nobody tells a node that does not validate about new blocks: it asks one validator after the other what it prefers. */
  #askOne(): void {
    const reachable = this.#requests.reachable()
    const nodeID = reachable[randomIndex(this.#options.random, reachable.length)]
    if (nodeID === undefined) return
    const message = (header: RequestHeader) => this.#query(header, this.#snowman.preference)
    this.#requests.ask(nodeID, { asked: { kind: "idle" }, answer: "chits", message }, this.#now)
  }

  #query(header: RequestHeader, id: ID): OutgoingMessage {
    return pullQuery(header, id, this.#options.chain.lastAccepted.height + 1n)
  }

  #startPoll(id: ID): void {
    const { parameters, random, bench } = this.#options
    const { connected, total } = this.connectedStake
    if (total === 0n || connected * BigInt(parameters.k) < total * BigInt(parameters.alphaConfidence)) return
    const sample = this.#requests.stake.sample(parameters.k, random)
    const requestID = this.#requests.nextID()
    this.#polls.start(requestID, new Poll(parameters, sample))
    const message = (header: RequestHeader) => this.#query(header, id)
    for (const nodeID of sample.keys()) {
      const kind = bench.isBenched(nodeID) ? "benched" : "poll"
      const isAsked = this.#requests.ask(nodeID, { asked: { kind }, answer: "chits", message }, this.#now, requestID)
      if (!isAsked || kind === "benched") this.#failed(nodeID, requestID, { kind: "poll" })
    }
  }

  #chits(nodeID: NodeID, chits: Extract<ChainMessage, { case: "chits" }>["value"]): void {
    const asked = this.#requests.answered(nodeID, chits.requestId, "chits", this.#now)
    if (!asked || asked.kind === "benched") return
    const preferred = idIn(chits.preferredId)
    const atHeight = idIn(chits.preferredIdAtHeight)
    const accepted = idIn(chits.acceptedId)
    if (preferred === undefined || atHeight === undefined || accepted === undefined) {
      this.#failed(nodeID, chits.requestId, asked)
      return
    }
    this.#tips.set(nodeID, { id: accepted, height: chits.acceptedHeight })
    this.#noteRefused(nodeID, atHeight, chits.acceptedHeight)
    this.#vote(nodeID, chits.requestId, [...new Set([preferred, atHeight])], asked.kind === "poll")
  }

  /** Brings the blocks of a vote into the tree; then the vote counts. */
  #vote(nodeID: NodeID, requestID: number, ids: readonly ID[], isPoll: boolean): void {
    const pending = ids.filter((id) => this.#issuer.ensure(id, nodeID) && this.#issuer.isOnItsWay(id))
    if (!isPoll) return
    const vote = { requestID, nodeID, ids }
    if (pending.length > 0) this.#votes.add(vote, pending)
    else this.#cast(vote)
  }

  #cast({ requestID, nodeID, ids }: Vote): void {
    let chosen: ID | undefined
    for (const id of ids) chosen ??= this.#issuer.processingAncestor(id)
    this.#polls.vote(requestID, nodeID, chosen)
  }

  #put(nodeID: NodeID, { requestId, container }: Extract<ChainMessage, { case: "put" }>["value"]): void {
    const asked = this.#requests.answered(nodeID, requestId, "put", this.#now)
    if (asked?.kind !== "get") return
    const block = readOrUndefined(container, this.#parseCertificate)
    if (block?.id === asked.id) this.#issuer.offer(block, nodeID)
    else this.#issuer.fetchFailed(asked.id)
  }

  #pullQuery(nodeID: NodeID, query: Extract<ChainMessage, { case: "pullQuery" }>["value"]): void {
    const id = idIn(query.containerId)
    if (id === undefined) return
    this.#options.port.send(nodeID, this.#options.port.chits(query))
    this.#issuer.ensure(id, nodeID)
  }

  #pushQuery(nodeID: NodeID, query: Extract<ChainMessage, { case: "pushQuery" }>["value"]): void {
    this.#options.port.send(nodeID, this.#options.port.chits(query))
    const block = readOrUndefined(query.container, this.#parseCertificate)
    if (block) this.#issuer.offer(block, nodeID)
  }

  #failed(nodeID: NodeID, requestID: number, asked: Asked): void {
    if (asked.kind === "get") this.#issuer.fetchFailed(asked.id)
    if (asked.kind !== "poll") return
    const last = this.#tips.of(nodeID)
    if (last) this.#vote(nodeID, requestID, [last.id], true)
    else this.#polls.vote(requestID, nodeID, undefined)
  }

  #issued(block: OuterBlock): void {
    this.#issuedAt.set(block.id, this.#now)
    if (this.#snowman.isPreferred(block.id)) this.#startPoll(block.id)
  }

  /** Takes the results of finished polls, and keeps enough polls in flight while something is undecided. */
  #settle(): void {
    for (;;) {
      const votes = this.#polls.takeFinished(this.#snowman)
      if (!votes) break
      const { accepted, rejected } = this.#snowman.recordPoll(votes)
      if (accepted.length > 0) this.#accept(accepted)
      for (const id of rejected) this.#options.chain.reject(id)
      for (const id of [...accepted, ...rejected]) this.#issuedAt.delete(id)
      if (accepted.length > 0) this.#issuer.prune()
    }
    const { concurrentRepolls } = this.#options.parameters
    for (let i = this.#polls.count; i < concurrentRepolls && this.#snowman.processingCount > 0; i++) {
      this.#startPoll(this.#snowman.preference)
    }
  }

  #accept(ids: readonly ID[]): void {
    const blocks = ids.map((id) => this.#options.chain.accept(id))
    this.#refused.forgetUpTo(this.#options.chain.lastAccepted.height)
    this.#options.port.accepted(blocks)
  }

  /** Where validators with enough stake to decide accepted a block that was refused here, following ends. */
  #noteRefused(nodeID: NodeID, atHeight: ID, acceptedHeight: bigint): void {
    const { chain, parameters, port } = this.#options
    if (acceptedHeight <= chain.lastAccepted.height) return
    const { stake } = this.#requests
    const refused = this.#refused.acceptedElsewhere(nodeID, atHeight)
    if (!refused) return
    if (stake.weightOfAll(refused.by) * BigInt(parameters.k) < stake.total * BigInt(parameters.alphaConfidence)) return
    this.#isHalted = true
    const { block, reason } = refused
    port.halted({ height: block.height, blockID: idText(block.id), rule: reason.code, reason: reason.message })
  }
}
