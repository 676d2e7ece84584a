import type { MessageKind, OutgoingMessage } from "../../p2p/message.js"
import { type Random, randomIndex } from "../../p2p/random.js"
import { Requests } from "../../p2p/requests.js"
import type { ChainMessage } from "../../p2p/session.js"
import { type ID, idText, type NodeID } from "../../types/id.js"
import { readOrUndefined } from "../bootstrap/fetcher.js"
import { get, idIn, pullQuery, type RequestHeader } from "../chainMessages.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import type { OuterChain } from "../proposer/outerChain.js"
import { hasTime } from "../responder.js"
import type { SnowParameters } from "../snowman/parameters.js"
import { Poll, Polls } from "../snowman/poll.js"
import { Snowman } from "../snowman/snowman.js"
import type { Stake } from "../snowman/stake.js"
import { Issuer } from "./issuer.js"
import { RefusedBlocks } from "./refusedBlocks.js"

/** A block that the validators accepted and this node's rules refuse. */
export interface RefusedBlock {
  readonly height: bigint
  readonly blockID: string
  readonly rule: string
  readonly reason: string
}

/** What following needs from the engine around it. */
export interface FollowerPort {
  send(nodeID: NodeID, message: OutgoingMessage): boolean
  /** The vote that answers a query. A follower votes only for what is decided; a validator for what it prefers. */
  chits(query: { readonly requestId: number; readonly requestedHeight: bigint }): OutgoingMessage
  /** Blocks were accepted, in order; they are in the chain and not flushed yet. */
  accepted(blocks: readonly OuterBlock[]): void
  /** The options of a proposal, the preferred one first. */
  optionsOf(proposal: OuterBlock): readonly OuterBlock[]
  /** The validators accepted a block that breaks a rule here: nothing more is accepted. */
  halted(report: RefusedBlock): void
}

/** What following is run with. */
export interface FollowerOptions {
  readonly chain: OuterChain
  readonly parameters: SnowParameters
  readonly random: Random
  readonly port: FollowerPort
}

type Asked = { readonly kind: "poll" } | { readonly kind: "idle" } | { readonly kind: "get"; readonly id: ID }

interface WaitingVote {
  readonly requestID: number
  readonly nodeID: NodeID
  /** The blocks that the vote is for, the first that is in the tree counts. */
  readonly ids: readonly ID[]
  readonly pending: Set<ID>
}

const POLL_INTERVAL_MS = 100

/** Decides by polling the validators: Snowman with messages, for a node that does not validate itself. */
export class Follower {
  readonly #options: FollowerOptions
  readonly #snowman: Snowman
  readonly #issuer: Issuer
  readonly #polls = new Polls()
  readonly #requests = new Requests<Asked>()
  readonly #connected = new Set<NodeID>()
  /** The last accepted block that each node named. */
  readonly #acceptedBy = new Map<NodeID, { readonly id: ID; readonly height: bigint }>()
  readonly #waiting = new Set<WaitingVote>()
  readonly #refused = new RefusedBlocks()
  #stake: Stake
  #now = 0
  #nextPoll = 0
  #isHalted = false

  constructor(options: FollowerOptions, stake: Stake, connected: Iterable<NodeID>, now: number) {
    const { chain, parameters } = options
    this.#options = options
    this.#stake = stake
    this.#now = now
    for (const nodeID of connected) this.#connected.add(nodeID)
    this.#snowman = new Snowman(parameters, chain.lastAccepted)
    this.#issuer = new Issuer(chain, this.#snowman, {
      nowSeconds: () => BigInt(Math.floor(this.#now / 1000)),
      requestBlock: (id, from) => this.#ask(from, { kind: "get", id }, "put", (header) => get(header, id)),
      resolved: (id) => this.#resolved(id),
      issued: (block) => this.#issued(block),
      refused: (block, reason) => this.#refused.add(block, reason),
      optionsOf: (proposal) => options.port.optionsOf(proposal),
    })
    // An accepted proposal has no other children than its options.
    for (const option of options.port.optionsOf(chain.lastAccepted)) this.#issuer.offer(option, "" as NodeID)
  }

  /** How many blocks are undecided. */
  get processingCount(): number {
    return this.#snowman.processingCount
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

  /** The stake that is connected, of all there is. */
  get connectedStake(): { readonly connected: bigint; readonly total: bigint } {
    return { connected: this.#stake.weightOfAll(this.#connected), total: this.#stake.total }
  }

  /** The height that validators with more than half of the stake say they have accepted; undefined where too few have said. */
  get majorityHeight(): bigint | undefined {
    const heights = [...this.#acceptedBy].sort(([, a], [, b]) => (a.height > b.height ? -1 : 1))
    let weight = 0n
    for (const [nodeID, { height }] of heights) {
      weight += this.#stake.weightOf(nodeID)
      if (weight * 2n > this.#stake.total) return height
    }
    return undefined
  }

  setStake(stake: Stake): void {
    this.#stake = stake
  }

  connected(nodeID: NodeID): void {
    this.#connected.add(nodeID)
  }

  disconnected(nodeID: NodeID, now: number): void {
    this.#now = now
    this.#connected.delete(nodeID)
    for (const { requestID, data } of this.#requests.abandon(nodeID)) this.#failed(nodeID, requestID, data)
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

  #ask(
    nodeID: NodeID,
    data: Asked,
    answer: MessageKind,
    message: (header: RequestHeader) => OutgoingMessage,
    id?: number,
  ): boolean {
    const requestID = id ?? this.#requests.nextID()
    if (!this.#options.port.send(nodeID, message({ requestId: requestID, deadline: this.#requests.deadline }))) return false
    this.#requests.open({ nodeID, requestID, data }, [answer], this.#now)
    return true
  }

  /** Nobody tells a node that does not validate about new blocks: it asks one validator after the other what it prefers. */
  #askOne(): void {
    const reachable = this.#stake.nodes.filter((nodeID) => this.#connected.has(nodeID))
    const nodeID = reachable[randomIndex(this.#options.random, reachable.length)]
    if (nodeID !== undefined) this.#ask(nodeID, { kind: "idle" }, "chits", (header) => this.#query(header))
  }

  #query(header: RequestHeader): OutgoingMessage {
    return pullQuery(header, this.#snowman.preference, this.#options.chain.lastAccepted.height + 1n)
  }

  #startPoll(id: ID): void {
    const { parameters, random, chain } = this.#options
    const { connected, total } = this.connectedStake
    if (total === 0n || connected * BigInt(parameters.k) < total * BigInt(parameters.alphaConfidence)) return
    const sample = this.#stake.sample(parameters.k, random)
    const requestID = this.#requests.nextID()
    this.#polls.start(requestID, new Poll(parameters, sample))
    const message = (header: RequestHeader) => pullQuery(header, id, chain.lastAccepted.height + 1n)
    for (const nodeID of sample.keys()) {
      if (!this.#ask(nodeID, { kind: "poll" }, "chits", message, requestID)) this.#failed(nodeID, requestID, { kind: "poll" })
    }
  }

  #chits(nodeID: NodeID, chits: Extract<ChainMessage, { case: "chits" }>["value"]): void {
    const asked = this.#requests.answer(nodeID, chits.requestId, "chits", this.#now)
    if (!asked) return
    const preferred = idIn(chits.preferredId)
    const atHeight = idIn(chits.preferredIdAtHeight)
    const accepted = idIn(chits.acceptedId)
    if (preferred === undefined || atHeight === undefined || accepted === undefined) {
      this.#failed(nodeID, chits.requestId, asked)
      return
    }
    this.#acceptedBy.set(nodeID, { id: accepted, height: chits.acceptedHeight })
    this.#noteRefused(nodeID, atHeight, chits.acceptedHeight)
    this.#vote(nodeID, chits.requestId, [...new Set([preferred, atHeight])], asked.kind === "poll")
  }

  /** Brings the blocks of a vote into the tree; then the vote counts. */
  #vote(nodeID: NodeID, requestID: number, ids: readonly ID[], isPoll: boolean): void {
    const pending = new Set(ids.filter((id) => this.#issuer.ensure(id, nodeID) && this.#issuer.isOnItsWay(id)))
    if (!isPoll) return
    const vote = { requestID, nodeID, ids, pending }
    if (pending.size > 0) this.#waiting.add(vote)
    else this.#cast(vote)
  }

  #cast({ requestID, nodeID, ids }: WaitingVote): void {
    let chosen: ID | undefined
    for (const id of ids) chosen ??= this.#issuer.processingAncestor(id)
    this.#polls.vote(requestID, nodeID, chosen)
  }

  #resolved(id: ID): void {
    for (const vote of [...this.#waiting]) {
      if (!vote.pending.delete(id) || vote.pending.size > 0) continue
      this.#waiting.delete(vote)
      this.#cast(vote)
    }
  }

  #put(nodeID: NodeID, { requestId, container }: Extract<ChainMessage, { case: "put" }>["value"]): void {
    const asked = this.#requests.answer(nodeID, requestId, "put", this.#now)
    if (asked?.kind !== "get") return
    const block = readOrUndefined(container)
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
    const block = readOrUndefined(query.container)
    if (block) this.#issuer.offer(block, nodeID)
  }

  #failed(nodeID: NodeID, requestID: number, asked: Asked): void {
    if (asked.kind === "get") this.#issuer.fetchFailed(asked.id)
    if (asked.kind !== "poll") return
    const last = this.#acceptedBy.get(nodeID)
    if (last) this.#vote(nodeID, requestID, [last.id], true)
    else this.#polls.vote(requestID, nodeID, undefined)
  }

  #issued(block: OuterBlock): void {
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
    if (acceptedHeight <= this.#options.chain.lastAccepted.height) return
    const { k, alphaConfidence } = this.#options.parameters
    const refused = this.#refused.acceptedElsewhere(nodeID, atHeight)
    if (!refused || this.#stake.weightOfAll(refused.by) * BigInt(k) < this.#stake.total * BigInt(alphaConfidence)) return
    this.#isHalted = true
    const { block, reason } = refused
    this.#options.port.halted({ height: block.height, blockID: idText(block.id), rule: reason.code, reason: reason.message })
  }
}
