import { AcceptFault, WriteFailure } from "../../chain/statePort.js"
import type { ParseCertificate } from "../../crypto/certificate.js"
import { certificateCache } from "../../crypto/certificateCache.js"
import type { ChainMessage, MessageOf } from "../../p2p/message.js"
import { randomIndex } from "../../p2p/random.js"
import type { RequestHeader } from "../../p2p/requests.js"
import { type ID, idText, type NodeID } from "../../types/id.js"
import { idIn, pullQuery, pushQuery } from "../chainMessages.js"
import { type OuterBlock, type OuterHeader, readHeader } from "../proposer/outerBlock.js"
import { hasTime } from "../responder.js"
import { Poll, Polls } from "../snowman/poll.js"
import type { Snowman } from "../snowman/snowman.js"
import type { Stake } from "../snowman/stake.js"
import type { ConsensusOptions } from "./enginePort.js"
import { type BlockChange, UndecidedBlocks } from "./undecidedBlocks.js"
import { type RequestPurpose, ValidatorRequests } from "./validatorRequests.js"
import { type AcceptedTip, majorityHeight, type Vote, WaitingVotes } from "./votes.js"

/**
 * Decides by polling the validators: Snowman with messages. A node that validates also answers for itself and issues blocks of its own.
 *
 * `UndecidedBlocks` brings the blocks that nodes name into the tree. A preferred block that arrives there is polled about (`#poll`). A vote
 * for a block waits until the block is in the tree or abandoned (`#cast`). Finished polls accept and reject blocks of the tree (`#settle`).
 * Times are Unix milliseconds.
 */
export class Consensus {
  readonly blocks: UndecidedBlocks
  readonly requests: ValidatorRequests
  readonly polls = new Polls()
  readonly #options: ConsensusOptions
  readonly #parseCertificate: ParseCertificate
  readonly #votes = new WaitingVotes()
  /** The last accepted block that each node named. */
  readonly #tips = new Map<NodeID, AcceptedTip>()
  /** Times at which the undecided blocks were issued, oldest first. */
  readonly #issuedAt = new Map<ID, number>()
  /** Undecided blocks that this node built. They are pushed, because no other node has them. */
  readonly #built = new Set<ID>()
  #now: number
  #nextPoll = 0
  #isHalted = false
  #keptPreference: ID | undefined

  constructor(options: ConsensusOptions, stake: Stake, connected: Iterable<NodeID>, now: number) {
    const { chain, port } = options
    this.#options = options
    this.#now = now
    this.#parseCertificate = certificateCache(chain.chain.rules.crypto.parseCertificate)
    this.requests = new ValidatorRequests(options, stake, connected)
    this.blocks = new UndecidedBlocks(options, this.requests)
    // An accepted proposal has no other children than its options.
    for (const block of [...port.optionsOf(chain.lastAccepted), ...(options.restored ?? [])])
      this.blocks.take(block, undefined, now)
    for (const change of this.blocks.takeChanges()) this.#changed(change)
  }

  get tree(): Snowman {
    return this.blocks.tree
  }

  get oldestIssuedAt(): number | undefined {
    return this.#issuedAt.values().next().value
  }

  /** The height that validators with more than half of the stake report as accepted; `undefined` if too few have reported. */
  get majorityHeight(): bigint | undefined {
    return majorityHeight(this.#tips, this.requests.stake)
  }

  /** The same of the stake that can be asked now. */
  get connectedMajorityHeight(): bigint | undefined {
    const { stake } = this.requests
    const nodes = this.requests.reachable()
    return majorityHeight(this.#tips, stake, { nodes, total: stake.weightOfAll(nodes) })
  }

  disconnected(nodeID: NodeID, now: number): void {
    this.#now = now
    for (const { requestID, data } of this.requests.disconnected(nodeID)) this.#unanswered(nodeID, requestID, data)
    this.#settle()
  }

  /** Issues a block that this node built, and pushes it to validators. */
  propose(block: OuterBlock, now: number): void {
    if (this.#isHalted) return
    this.#now = now
    this.#built.add(block.id)
    this.blocks.take(block, undefined, now)
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
    for (const { nodeID, requestID, data } of this.requests.expired(now)) this.#unanswered(nodeID, requestID, data)
    this.#settle()
    if (now < this.#nextPoll) return
    this.#nextPoll = now + this.#options.settings.frontierPollMs
    if (this.tree.processingCount === 0) this.#askOne()
  }

  /** Other nodes do not report new blocks to a node that does not validate, so it asks one validator after the other for its preference. */
  #askOne(): void {
    const reachable = this.requests.reachable()
    const nodeID = reachable[randomIndex(this.#options.random, reachable.length)]
    if (nodeID === undefined) return
    const height = this.#options.chain.lastAccepted.height + 1n
    const message = (header: RequestHeader) => pullQuery(header, this.tree.preference, height)
    this.requests.open.ask(nodeID, { data: { kind: "idle" }, answer: "chits", message }, this.#now)
  }

  #chits(nodeID: NodeID, chits: MessageOf<"chits">["value"]): void {
    const purpose = this.requests.answered(nodeID, chits.requestId, "chits", this.#now)
    if (!purpose || purpose.kind === "benched") return
    const preferred = idIn(chits.preferredId)
    const atHeight = idIn(chits.preferredIdAtHeight)
    const accepted = idIn(chits.acceptedId)
    if (preferred === undefined || atHeight === undefined || accepted === undefined) {
      this.#unanswered(nodeID, chits.requestId, purpose)
      return
    }
    this.#tips.set(nodeID, { id: accepted, height: chits.acceptedHeight })
    this.#noteAccepted(nodeID, atHeight, chits.acceptedHeight)
    this.#vote(nodeID, purpose.kind === "poll" ? chits.requestId : undefined, [...new Set([preferred, atHeight])])
  }

  #put(nodeID: NodeID, { requestId, container }: MessageOf<"put">["value"]): void {
    const purpose = this.requests.answered(nodeID, requestId, "put", this.#now)
    if (purpose?.kind !== "get") return
    const block = this.#read(container)
    if (block?.id === purpose.id) this.blocks.take(block, nodeID, this.#now)
    else {
      this.requests.withheld(nodeID, this.#now)
      this.#unanswered(nodeID, requestId, purpose)
    }
  }

  /** Reads a block of a message. It is copied, because a small block could keep a large message in memory. */
  #read(container: Uint8Array): OuterHeader | undefined {
    return readHeader(container.slice(), this.#options.chain.hasBareBlocks, { parseCertificate: this.#parseCertificate })
  }

  #pullQuery(nodeID: NodeID, query: MessageOf<"pullQuery">["value"]): void {
    const id = idIn(query.containerId)
    if (id === undefined) return
    this.#options.port.send(nodeID, this.#options.port.chits(query))
    this.blocks.want(id, nodeID, this.#now)
  }

  #pushQuery(nodeID: NodeID, query: MessageOf<"pushQuery">["value"]): void {
    this.#options.port.send(nodeID, this.#options.port.chits(query))
    const block = this.#read(query.container)
    if (block) this.blocks.take(block, nodeID, this.#now)
  }

  /** A node did not answer. To a poll it counts as if it still preferred the block that it has accepted. */
  #unanswered(nodeID: NodeID, requestID: number, purpose: RequestPurpose): void {
    if (purpose.kind === "get") this.blocks.undelivered(purpose.id, nodeID)
    if (purpose.kind !== "poll") return
    const last = this.#tips.get(nodeID)
    if (last) this.#vote(nodeID, requestID, [last.id])
    else this.polls.vote(requestID, nodeID, undefined)
  }

  #changed(change: BlockChange): void {
    if (change.kind === "issued") this.#issued(change.block)
    else for (const vote of this.#votes.resolved(change.id)) this.#cast(vote)
  }

  #issued({ id, parentID, wrapper, bytes }: OuterBlock): void {
    this.#issuedAt.set(id, this.#now)
    // The options of a proposal of this node are its own too.
    if (this.#built.has(parentID) && wrapper?.kind === "ProposerVMOption") this.#built.add(id)
    if (this.tree.isPreferred(id)) this.#poll(id, this.#built.has(id) ? bytes : undefined)
  }

  /** Polls a sample about a block, with its bytes if others do not have it yet. Nothing is sent while too little stake is connected. */
  #poll(id: ID, bytes?: Uint8Array): void {
    const { parameters, random, chain, own } = this.#options
    const { connected, total } = this.requests.connectedStake
    if (total === 0n || connected * BigInt(parameters.k) < total * BigInt(parameters.alphaConfidence)) return
    const sample = this.requests.stake.sample(parameters.k, random)
    const requestID = this.requests.open.nextID()
    this.polls.start(requestID, new Poll(parameters, sample))
    const height = chain.lastAccepted.height + 1n
    const message = (header: RequestHeader) => (bytes ? pushQuery(header, bytes, height) : pullQuery(header, id, height))
    for (const nodeID of sample.keys()) {
      if (nodeID === own) this.#voteOwn(requestID, own, height)
      else this.#ask(nodeID, requestID, message)
    }
  }

  #ask(nodeID: NodeID, requestID: number, message: (header: RequestHeader) => ReturnType<typeof pullQuery>): void {
    const kind = this.#options.bench.isBenched(nodeID) ? "benched" : "poll"
    const isAsked = this.requests.open.ask(nodeID, { data: { kind }, answer: "chits", message }, this.#now, requestID)
    if (!isAsked || kind === "benched") this.#unanswered(nodeID, requestID, { kind: "poll" })
  }

  /** A validator that is drawn into its own sample votes as it would answer others. */
  #voteOwn(requestID: number, own: NodeID, height: bigint): void {
    const { preference } = this.tree
    this.#vote(own, requestID, [preference, this.tree.preferredAt(height) ?? preference])
  }

  /**
   * Brings the blocks of a vote into the tree; then the vote counts. Without the number of a poll, the blocks are only fetched. The vote of
   * a node that withholds blocks counts at once.
   */
  #vote(nodeID: NodeID, requestID: number | undefined, ids: readonly ID[]): void {
    const pending = ids.filter((id) => this.blocks.want(id, nodeID, this.#now))
    if (requestID === undefined) return
    const vote = { requestID, nodeID, ids }
    if (pending.length > 0 && !this.requests.isWithholding(nodeID, this.#now)) this.#votes.add(vote, pending)
    else this.#cast(vote)
  }

  #cast({ requestID, nodeID, ids }: Vote): void {
    let chosen: ID | undefined
    for (const id of ids) chosen ??= this.blocks.processingAncestor(id)
    this.polls.vote(requestID, nodeID, chosen)
  }

  /** Applies the changes of blocks and the results of finished polls, and starts enough polls while something is undecided. */
  #settle(): void {
    for (;;) {
      for (const change of this.blocks.takeChanges()) this.#changed(change)
      const votes = this.polls.takeFinished(this.tree)
      if (!votes) break
      const { accepted, rejected } = this.tree.recordPoll(votes)
      if (accepted.length > 0) this.#accept(accepted)
      for (const id of rejected) this.#options.chain.reject(id)
      for (const id of [...accepted, ...rejected]) {
        this.#issuedAt.delete(id)
        this.#built.delete(id)
      }
      if (accepted.length > 0) this.blocks.abandonDecided()
    }
    this.#keepPreference()
    const { concurrentRepolls } = this.#options.parameters
    for (let i = this.polls.count; i < concurrentRepolls && this.tree.processingCount > 0; i++) this.#poll(this.tree.preference)
  }

  #accept(ids: readonly ID[]): void {
    const { chain, port } = this.#options
    try {
      const blocks = ids.map((id) => chain.accept(id))
      this.blocks.refused.forgetUpTo(chain.lastAccepted.height)
      port.accepted(blocks)
    } catch (error) {
      throw error instanceof WriteFailure ? error : new AcceptFault(error)
    }
  }

  #keepPreference(): void {
    const { preference } = this.tree
    if (preference === this.#keptPreference) return
    this.#keptPreference = preference
    const { chain, port } = this.#options
    const branch: OuterBlock[] = []
    for (let block = chain.processing(preference); block; block = chain.processing(block.parentID)) branch.unshift(block)
    port.preferred?.(branch)
  }

  /**
   * Verifies a refused block once more if validators with enough stake to decide have accepted it, and stops following if it is refused
   * again.
   */
  #noteAccepted(nodeID: NodeID, atHeight: ID, acceptedHeight: bigint): void {
    const { chain, parameters, port } = this.#options
    if (acceptedHeight <= chain.lastAccepted.height) return
    const { stake } = this.requests
    const { refused } = this.blocks
    const found = refused.acceptedElsewhere(nodeID, atHeight)
    if (!found) return
    if (stake.weightOfAll(found.by) * BigInt(parameters.k) < stake.total * BigInt(parameters.alphaConfidence)) return
    const { id, height, bytes } = found.block
    refused.allowAgain(id)
    const header = this.#read(bytes)
    if (header) this.blocks.take(header, nodeID, this.#now)
    const reason = refused.reasonOf(id)
    if (!reason) return
    this.#isHalted = true
    port.halted({ height, blockID: idText(id), rule: reason.code, reason: reason.message })
  }
}
