import type { ParseCertificate } from "../../crypto/certificate.js"
import { certificateCache } from "../../crypto/certificateCache.js"
import { Invalid } from "../../lib/invalid.js"
import { wholeSeconds } from "../../lib/wholeSeconds.js"
import type { ChainMessage, MessageOf } from "../../p2p/message.js"
import { randomIndex } from "../../p2p/random.js"
import type { RequestHeader } from "../../p2p/requests.js"
import { type ID, idText, type NodeID } from "../../types/id.js"
import { get, idIn, pullQuery, pushQuery } from "../chainMessages.js"
import { type OuterBlock, type OuterHeader, readHeader, VERIFIED_BEFORE } from "../proposer/outerBlock.js"
import { hasTime } from "../responder.js"
import { Poll, Polls } from "../snowman/poll.js"
import { Snowman } from "../snowman/snowman.js"
import type { Stake } from "../snowman/stake.js"
import { BlockStates, type WaitingBlock } from "./blockStates.js"
import type { ConsensusOptions } from "./enginePort.js"
import { RefusedBlocks, type RefusedHeader } from "./refusedBlocks.js"
import { type RequestPurpose, ValidatorRequests } from "./validatorRequests.js"
import { type AcceptedTip, majorityHeight, type Vote, WaitingVotes } from "./votes.js"

/** The maximum number of blocks that are fetched from one node at a time. */
const MAX_FETCHES = 64

/**
 * Decides by polling the validators: Snowman with messages. A node that validates also answers for itself and issues blocks of its own.
 *
 * A block that is not accepted has one of these states (`BlockStates`), which these functions change:
 *
 * - being fetched: a node named the block (`want`).
 * - waiting: it arrived, and its parent is not there (`take`).
 * - in the tree: it arrived (`take`) or its parent did (`#issue`), and it is valid.
 * - abandoned: it did not arrive, is not valid, or can no longer be accepted (`#abandon`).
 *
 * A vote for a block waits until the block is in the tree or abandoned (`#resolved`). Finished polls accept and reject
 * blocks of the tree (`#settle`). Times are Unix milliseconds.
 */
export class Consensus {
  readonly blocks: BlockStates
  readonly requests: ValidatorRequests
  readonly polls = new Polls()
  readonly refused = new RefusedBlocks()
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
    const { chain, parameters, port, room } = options
    this.#options = options
    this.#now = now
    this.#parseCertificate = certificateCache(chain.chain.rules.crypto.parseCertificate)
    this.requests = new ValidatorRequests(options, stake, connected)
    const tree = new Snowman(parameters, chain.lastAccepted)
    this.blocks = new BlockStates(chain, tree, (nodeID) => this.requests.stake.shareOf(nodeID), room)
    // An accepted proposal has no other children than its options.
    for (const block of [...port.optionsOf(chain.lastAccepted), ...(options.restored ?? [])]) this.take(block)
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
    this.take(block)
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
    if (block?.id === purpose.id) this.take(block, nodeID)
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
    this.want(id, nodeID)
  }

  #pushQuery(nodeID: NodeID, query: MessageOf<"pushQuery">["value"]): void {
    this.#options.port.send(nodeID, this.#options.port.chits(query))
    const block = this.#read(query.container)
    if (block) this.take(block, nodeID)
  }

  /** A node did not answer. To a poll it counts as if it still preferred the block that it has accepted. */
  #unanswered(nodeID: NodeID, requestID: number, purpose: RequestPurpose): void {
    if (purpose.kind === "get" && this.blocks.fetching.get(purpose.id) === nodeID) {
      this.blocks.fetching.delete(purpose.id)
      this.#abandon({ id: purpose.id, parentID: undefined })
    }
    if (purpose.kind !== "poll") return
    const last = this.#tips.get(nodeID)
    if (last) this.#vote(nodeID, requestID, [last.id])
    else this.polls.vote(requestID, nodeID, undefined)
  }

  /** A node names a block: it is fetched, unless it is known, on its way, or was just refused. Returns true if it is on its way. */
  want(id: ID, from: NodeID): boolean {
    const { blocks, requests } = this
    if (blocks.isKnown(id) || this.#refusedNow().has(id)) return false
    if (blocks.isPending(id) && !this.#isBetterSource(id, from)) return true
    const data = { kind: "get", id } as const
    const message = (header: RequestHeader) => get(header, id)
    if (blocks.fetchesFrom(from) >= MAX_FETCHES || !requests.open.ask(from, { data, answer: "put", message }, this.#now))
      return blocks.isPending(id)
    blocks.fetching.set(id, from)
    return true
  }

  /** Returns whether a block is being fetched from a node that withholds blocks, and this node does not. */
  #isBetterSource(id: ID, from: NodeID): boolean {
    const source = this.blocks.fetching.get(id)
    if (source === undefined || source === from) return false
    return this.requests.isWithholding(source, this.#now) && !this.requests.isWithholding(from, this.#now)
  }

  /** A block arrived from a node, requested or not; or it is one of this node, whose parent cannot be fetched. */
  take(block: OuterHeader, from?: NodeID): void {
    const { blocks } = this
    const { id, parentID } = block
    blocks.fetching.delete(id)
    if (blocks.isKnown(id) || blocks.isPending(id) || blocks.isDecided(block)) this.#resolved(id)
    else if (blocks.isReady(parentID)) this.#issue(block, from)
    else if (from !== undefined && !blocks.isFar(block) && this.#makeRoom(from)) {
      blocks.wait(block, from)
      if (!this.want(parentID, from)) this.#abandon(block)
    } else this.#abandon(block)
  }

  /**
   * Returns whether a block of a node may wait. The node's own blocks that have waited longest make room for it: a chain of blocks is fetched
   * from the newest down, and its oldest blocks are issued first. The others are fetched again after that.
   */
  #makeRoom(from: NodeID): boolean {
    while (!this.blocks.hasRoomFor(from)) {
      const oldest = this.blocks.oldestFrom(from)
      if (!oldest) return false
      this.#abandon(oldest)
    }
    return true
  }

  /** Verifies a block whose parent is there, puts it into the tree, and goes on with those that wait for it. */
  #issue(first: OuterHeader, sender: NodeID | undefined): void {
    const ready: (OuterHeader | WaitingBlock)[] = [first]
    for (const next of ready) {
      const [header, from] = "from" in next ? [this.#readAgain(next), next.from] : [next, sender]
      const block = header && this.#verify(header, from)
      if (!block) {
        this.#abandon(next)
        continue
      }
      this.blocks.endWaiting(block.id)
      this.#add(block)
      const options = this.#options.port.optionsOf(block).filter((option) => this.#verify(option, from))
      for (const option of options) this.#add(option)
      this.#resolved(block.id)
      for (const { id } of [block, ...options]) ready.push(...this.blocks.waitingFor(id))
    }
  }

  /** Reads the wrapper of a block whose parent is there now. Its signature was verified when it arrived. */
  #readAgain({ bytes }: WaitingBlock): OuterHeader | undefined {
    return readHeader(bytes, this.#options.chain.hasBareBlocks, VERIFIED_BEFORE)
  }

  #verify(block: OuterHeader, from: NodeID | undefined): OuterBlock | undefined {
    const { chain } = this.#options
    try {
      return chain.verify(block, { nowSeconds: this.#nowSeconds(), isBootstrapping: false })
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      const { id, parentID, bytes } = block
      this.#refusedNow().add(id)
      const { height } = chain.processing(parentID) ?? chain.lastAccepted
      this.#noteRefusal({ id, parentID, bytes, height: height + 1n }, error, from)
      return undefined
    }
  }

  #nowSeconds(): bigint {
    return this.#options.unixSeconds?.() ?? wholeSeconds(this.#now)
  }

  #refusedNow(): Set<ID> {
    return this.refused.at(`${this.#nowSeconds()} ${this.#options.chain.lastAccepted.id}`)
  }

  #add(block: OuterBlock): void {
    const { id, parentID, wrapper, bytes } = block
    if (this.tree.isProcessing(id)) return
    this.tree.add(block)
    this.refused.forget(id)
    this.#issuedAt.set(id, this.#now)
    // The options of a proposal of this node are its own too.
    if (this.#built.has(parentID) && wrapper?.kind === "ProposerVMOption") this.#built.add(id)
    if (this.tree.isPreferred(id)) this.#poll(id, this.#built.has(id) ? bytes : undefined)
  }

  /** A block will not be issued, nor will those that wait for it. */
  #abandon(first: { readonly id: ID; readonly parentID: ID | undefined }): void {
    const abandoned = [first]
    for (const { id, parentID } of abandoned) {
      this.blocks.abandon(id, parentID)
      abandoned.push(...this.blocks.waitingFor(id))
      this.#resolved(id)
    }
  }

  /** A block was issued, or will not be: the votes that waited for it count. */
  #resolved(id: ID): void {
    for (const vote of this.#votes.resolved(id)) this.#cast(vote)
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
    const pending = ids.filter((id) => this.want(id, nodeID))
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

  /** Applies the results of finished polls, and starts enough polls while something is undecided. */
  #settle(): void {
    for (;;) {
      const votes = this.polls.takeFinished(this.tree)
      if (!votes) break
      const { accepted, rejected } = this.tree.recordPoll(votes)
      if (accepted.length > 0) this.#accept(accepted)
      for (const id of rejected) this.#options.chain.reject(id)
      for (const id of [...accepted, ...rejected]) {
        this.#issuedAt.delete(id)
        this.#built.delete(id)
      }
      if (accepted.length > 0) for (const block of this.blocks.waitingInVain()) this.#abandon(block)
    }
    this.#keepPreference()
    const { concurrentRepolls } = this.#options.parameters
    for (let i = this.polls.count; i < concurrentRepolls && this.tree.processingCount > 0; i++) this.#poll(this.tree.preference)
  }

  #accept(ids: readonly ID[]): void {
    const { chain, port } = this.#options
    const blocks = ids.map((id) => chain.accept(id))
    this.refused.forgetUpTo(chain.lastAccepted.height)
    port.accepted(blocks)
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
   * Remembers a refused block. One that this node's clock refuses, or that follows an undecided block and is refused because of this node's
   * height, may be valid later: it is fetched again when a validator names it. So is one of a node without stake, which could send any number
   * of them.
   */
  #noteRefusal(block: RefusedHeader, reason: Invalid, from: NodeID | undefined): void {
    if (from === undefined || this.requests.stake.weightOf(from) === 0n) return
    const followsAccepted = block.parentID === this.#options.chain.lastAccepted.id
    if (reason.dependsOn === "clock" || (reason.dependsOn === "height" && !followsAccepted)) return
    this.refused.add(block, reason)
  }

  /**
   * Verifies a refused block once more if validators with enough stake to decide have accepted it, and stops following if it is refused
   * again.
   */
  #noteAccepted(nodeID: NodeID, atHeight: ID, acceptedHeight: bigint): void {
    const { chain, parameters, port } = this.#options
    if (acceptedHeight <= chain.lastAccepted.height) return
    const { stake } = this.requests
    const refused = this.refused.acceptedElsewhere(nodeID, atHeight)
    if (!refused) return
    if (stake.weightOfAll(refused.by) * BigInt(parameters.k) < stake.total * BigInt(parameters.alphaConfidence)) return
    const { block } = refused
    this.refused.forget(block.id)
    const header = this.#read(block.bytes)
    if (header) this.take(header, nodeID)
    const reason = this.refused.reasonOf(block.id)
    if (!reason) return
    this.#isHalted = true
    port.halted({ height: block.height, blockID: idText(block.id), rule: reason.code, reason: reason.message })
  }
}
