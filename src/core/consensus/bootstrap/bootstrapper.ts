import type { Block } from "../../blocks/block.js"
import type { TimeoutSettings } from "../../p2p/adaptiveTimeout.js"
import type { ChainMessage, OutgoingMessage } from "../../p2p/message.js"
import { type OpenRequest, type RequestHeader, Requests } from "../../p2p/requests.js"
import type { ID, NodeID } from "../../types/id.js"
import { getAncestors, idIn, isAboutPChain, pullQuery } from "../chainMessages.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import type { Stake } from "../snowman/stake.js"
import { Fetcher, type FetcherOptions, otherChain } from "./fetcher.js"
import { FrontierPoll } from "./frontier.js"

export interface BootstrapOptions extends Omit<FetcherOptions, "request"> {
  /** The nodes whose last accepted block is believed, if those with more than half of the stake agree. */
  readonly beacons: Stake
  /** The stake of the beacons that must be connected before they are asked. */
  readonly leastConnected: bigint
  readonly timeouts?: TimeoutSettings | undefined
  send(nodeID: NodeID, message: OutgoingMessage): boolean
  /** Recovers the signers of blocks that are executed soon in the background; by default their execution does it. */
  recoverAhead?: ((blocks: readonly Block[]) => void) | undefined
}

export interface BootstrapProgress {
  readonly phase: "connecting" | "frontier" | "fetching" | "done"
  /** The height of the newest block that is known to be accepted by the beacons. */
  readonly target: bigint
  readonly lastAccepted: bigint
  /** Blocks that are fetched and wait to be executed. */
  readonly waiting: bigint
}

type BootstrapRequest =
  | { readonly kind: "poll"; readonly poll: FrontierPoll }
  | { readonly kind: "ancestors"; readonly id: ID; readonly sentAt: number }
  | { readonly kind: "checkpoint" }

const RETRY_MS = 1_000

/** Number of blocks ahead whose signers are recovered in the background, in groups. */
const AHEAD_BLOCKS = 1024n
const AHEAD_GROUP = 128n

/**
 * Brings the chain up to the state that the beacons accepted: finds their last block, fetches its ancestors, and executes them in order.
 */
export class Bootstrapper {
  readonly #options: BootstrapOptions
  readonly requests: Requests<BootstrapRequest>
  readonly #fetcher: Fetcher
  readonly #connected = new Set<NodeID>()
  #poll: FrontierPoll | undefined
  /** Blocks in between that beacons named, and the number of beacons that have not answered yet. */
  #checkpoints: { readonly ids: Set<ID>; waiting: number } | undefined
  #hasAskedForCheckpoints = false
  #phase: BootstrapProgress["phase"] = "connecting"
  #retryAt = 0
  #executed = 0
  #executedBefore = Number.POSITIVE_INFINITY
  /** The highest block whose signers are recovered in the background. */
  #recoveredUpTo = 0n

  constructor(options: BootstrapOptions) {
    this.#options = options
    this.requests = new Requests(options.send, options.timeouts)
    this.#fetcher = new Fetcher({ ...options, request: (nodeID, id, now) => this.#requestAncestors(nodeID, id, now) })
    if (options.beacons.total === 0n) this.#phase = "done"
  }

  get progress(): BootstrapProgress {
    const lastAccepted = this.#options.chain.lastAccepted.height
    const { newest, blocks } = this.#fetcher
    return { phase: this.#phase, target: newest > lastAccepted ? newest : lastAccepted, lastAccepted, waiting: blocks.count }
  }

  /** The block that is executed next, if it is fetched. */
  get next(): OuterBlock | undefined {
    return this.#fetcher.blocks.get(this.#options.chain.lastAccepted.height + 1n)
  }

  get isDone(): boolean {
    return this.#phase === "done"
  }

  /** True if it does not fetch blocks, because too few beacons are connected. */
  get lacksBeacons(): boolean {
    const isAsking = this.#phase === "connecting" || this.#phase === "frontier"
    return isAsking && !this.#hasEnoughBeacons
  }

  get #hasEnoughBeacons(): boolean {
    const { beacons, leastConnected } = this.#options
    return beacons.weightOfAll(this.#connected) >= leastConnected
  }

  connected(nodeID: NodeID): void {
    this.#connected.add(nodeID)
    this.#fetcher.peers.add(nodeID)
  }

  disconnected(nodeID: NodeID, now: number): void {
    this.#connected.delete(nodeID)
    this.#fetcher.peers.remove(nodeID)
    for (const request of this.requests.abandon(nodeID)) this.#failed(request, now)
  }

  /** Takes an answer; other messages are not for this. Throws `consensus.other_chain`. */
  message(nodeID: NodeID, message: ChainMessage, now: number): void {
    if (!("requestId" in message.value) || !isAboutPChain(message.value)) return
    const request = this.requests.answer(nodeID, message.value.requestId, message.case, now)
    if (!request) return
    if (message.case === "acceptedFrontier") this.#pollAnswer(request, nodeID, [message.value.containerId], now)
    else if (message.case === "accepted") this.#pollAnswer(request, nodeID, message.value.containerIds, now)
    else if (message.case === "chits") this.#checkpoint(message.value.preferredIdAtHeight, now)
    else if (message.case === "ancestors" && request.kind === "ancestors") {
      this.#fetcher.answered(nodeID, request.id, message.value.containers, now - request.sentAt, now)
      this.#askForCheckpoints(now)
    }
  }

  /** Does the work that is due: ends requests that timed out, starts phases, and requests blocks. */
  tick(now: number): void {
    for (const request of this.requests.expired(now)) this.#failed(request, now)
    const isReady = this.#phase === "connecting" ? this.#hasEnoughBeacons : this.#phase === "frontier" && now >= this.#retryAt
    if (isReady && !this.#poll) this.#startPoll(now)
    if (this.#phase === "fetching") this.#fetcher.requestMissing(now)
  }

  /**
   * Executes fetched blocks in order until none is ready or the time is up. Returns true if more are ready. The caller writes them with
   * `chain.flush`. Throws `Invalid` if a block breaks a rule, which means that the network accepted a block that this node refuses.
   */
  execute(nowSeconds: bigint, isOutOfTime: () => boolean): boolean {
    const { chain } = this.#options
    const { blocks } = this.#fetcher
    while (!isOutOfTime()) {
      const { id, height } = chain.lastAccepted
      const block = blocks.get(height + 1n)
      if (!block) {
        this.#finishRound()
        return false
      }
      if (block.parentID !== id) throw otherChain(height, block.parentID, id)
      this.#recoverAhead(height)
      chain.verify(block, { nowSeconds, isBootstrapping: true })
      chain.accept(block.id, (changes) => blocks.recordExecuted(changes, block.height))
      this.#executed++
    }
    return blocks.has(chain.lastAccepted.height + 1n)
  }

  /** Starts the recovery for the blocks after the last accepted one, as far as they are fetched. */
  #recoverAhead(height: bigint): void {
    const { recoverAhead } = this.#options
    if (!recoverAhead) return
    if (this.#recoveredUpTo < height) this.#recoveredUpTo = height
    while (this.#recoveredUpTo + AHEAD_GROUP <= height + AHEAD_BLOCKS) {
      const blocks = this.#fetcher.blocks.readAhead(this.#recoveredUpTo + 1n, this.#recoveredUpTo + AHEAD_GROUP)
      if (blocks.length === 0) return
      recoverAhead(blocks.map(({ inner }) => inner))
      this.#recoveredUpTo += BigInt(blocks.length)
    }
  }

  #startPoll(now: number): void {
    this.#phase = "frontier"
    this.#ask(new FrontierPoll(this.#options.beacons, this.#options.random), now)
  }

  #ask(poll: FrontierPoll, now: number): void {
    this.#poll = poll
    const question = { data: { kind: "poll", poll }, ...poll.question } as const
    for (const beacon of poll.waiting) if (!this.requests.ask(beacon, question, now)) this.#pollStep(poll, beacon, [], now)
  }

  #requestAncestors(nodeID: NodeID, id: ID, now: number): boolean {
    const data = { kind: "ancestors", id, sentAt: now } as const
    return this.requests.ask(nodeID, { data, answer: "ancestors", message: (header) => getAncestors(header, id) }, now)
  }

  #pollAnswer(request: BootstrapRequest, nodeID: NodeID, raw: readonly Uint8Array[], now: number): void {
    if (request.kind !== "poll") return
    const ids = raw.map(idIn)
    this.#pollStep(request.poll, nodeID, ids.includes(undefined) ? [] : (ids as ID[]), now)
  }

  #pollStep(poll: FrontierPoll, beacon: NodeID, ids: readonly ID[], now: number): void {
    if (poll !== this.#poll || !poll.answer(beacon, ids)) return
    if (poll.isDone) this.#polled(poll.accepted, now)
    else this.#ask(poll, now)
  }

  /**
   * Handles the end of a poll: the blocks that the beacons accepted are fetched. If they do not agree, they are asked again a little later.
   */
  #polled(accepted: readonly ID[], now: number): void {
    this.#poll = undefined
    if (this.#phase === "frontier") {
      this.#retryAt = now + RETRY_MS
      if (accepted.length === 0) return
      this.#phase = "fetching"
      this.#fetcher.resume()
    }
    for (const id of accepted) this.#fetcher.want(id)
    this.#fetcher.requestMissing(now)
  }

  /**
   * Asks beacons for the blocks at some heights in between, so that several gaps are fetched in parallel and the lowest is executed
   * meanwhile. A majority of the beacons must have accepted them, as for the last block.
   */
  #askForCheckpoints(now: number): void {
    if (this.#hasAskedForCheckpoints) return
    this.#hasAskedForCheckpoints = true
    const { chain, beacons } = this.#options
    const heights = checkpointHeights(chain.lastAccepted.height, this.#fetcher.lowestMissing)
    if (heights.length === 0) return
    this.#checkpoints = { ids: new Set(), waiting: heights.length }
    const connected = beacons.nodes.filter((beacon) => this.#connected.has(beacon))
    heights.forEach((height, i) => {
      const beacon = connected[i % connected.length]
      const message = (header: RequestHeader) => pullQuery(header, chain.lastAccepted.id, height)
      const question = { data: { kind: "checkpoint" }, answer: "chits", message } as const
      const isSent = beacon !== undefined && this.requests.ask(beacon, question, now)
      if (!isSent) this.#checkpoint(undefined, now)
    })
  }

  #checkpoint(raw: Uint8Array | undefined, now: number): void {
    const checkpoints = this.#checkpoints
    if (!checkpoints) return
    const id = raw && idIn(raw)
    if (id !== undefined) checkpoints.ids.add(id)
    checkpoints.waiting--
    if (checkpoints.waiting > 0) return
    this.#checkpoints = undefined
    const { chain, beacons, random } = this.#options
    const candidates = [...checkpoints.ids].filter((each) => chain.heightOf(each) === undefined)
    if (candidates.length > 0) this.#ask(FrontierPoll.ofCandidates(beacons, candidates, random), now)
  }

  #failed({ nodeID, data }: OpenRequest<BootstrapRequest>, now: number): void {
    if (data.kind === "poll") this.#pollStep(data.poll, nodeID, [], now)
    else if (data.kind === "checkpoint") this.#checkpoint(undefined, now)
    else this.#fetcher.failed(nodeID, data.id, now)
  }

  /** No block is ready. If none is missing either, the round is over, and another one follows if the chain grew much meanwhile. */
  #finishRound(): void {
    if (this.#phase !== "fetching" || !this.#fetcher.isComplete || this.#poll || this.#checkpoints) return
    const goesOn = this.#executed > 0 && this.#executed < this.#executedBefore / 2
    this.#executedBefore = this.#executed
    this.#executed = 0
    this.#phase = goesOn ? "frontier" : "done"
  }
}

/** The number of blocks below which they are fetched in one piece. */
const MIN_GAP = 4_000n
const MAX_CHECKPOINTS = 64n

/** Returns heights that divide the blocks between two heights into gaps of at least 2,000 blocks, at most 65 of them. */
function checkpointHeights(lastAccepted: bigint, target: bigint): bigint[] {
  const missing = target - lastAccepted
  if (missing < MIN_GAP) return []
  const byGap = missing / (MIN_GAP / 2n) - 1n
  const count = byGap < MAX_CHECKPOINTS ? byGap : MAX_CHECKPOINTS
  return Array.from({ length: Number(count) }, (_, i) => lastAccepted + (missing * BigInt(i + 1)) / (count + 1n))
}
