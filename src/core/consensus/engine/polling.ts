import type { ID, NodeID } from "../../types/id.js"
import { pullQuery, pushQuery, type RequestHeader } from "../chainMessages.js"
import { Poll, Polls } from "../snowman/poll.js"
import type { Votes } from "../snowman/snowflakeTree.js"
import type { Snowman } from "../snowman/snowman.js"
import { AcceptedTips } from "./acceptedTips.js"
import type { FollowerOptions } from "./followerPort.js"
import type { Issuer } from "./issuer.js"
import type { ValidatorRequests } from "./validatorRequests.js"
import { type Vote, WaitingVotes } from "./waitingVotes.js"

/** Parts of a follower that its polls use. */
export interface PollingParts {
  readonly requests: ValidatorRequests
  readonly snowman: Snowman
  readonly issuer: Issuer
  /** Returns whether a node recently did not deliver a block that it named. */
  isWithholding(nodeID: NodeID): boolean
}

/** Polls samples of the validators, and collects their votes. Times are Unix milliseconds. */
export class Polling {
  readonly #options: FollowerOptions
  readonly #requests: ValidatorRequests
  readonly #snowman: Snowman
  readonly #issuer: Issuer
  readonly #isWithholding: (nodeID: NodeID) => boolean
  readonly #polls = new Polls()
  readonly #votes = new WaitingVotes()
  /** The last accepted block that each node named. */
  readonly tips = new AcceptedTips()

  constructor(options: FollowerOptions, { requests, snowman, issuer, isWithholding }: PollingParts) {
    this.#options = options
    this.#requests = requests
    this.#snowman = snowman
    this.#issuer = issuer
    this.#isWithholding = isWithholding
  }

  /** Number of polls that are under way. */
  get pending(): number {
    return this.#polls.count
  }

  /** Number of all polls so far, those under way included. */
  get started(): number {
    return this.#polls.started
  }

  /** Polls a sample about a block, with its bytes if others do not have it yet. Nothing is sent while too little stake is connected. */
  start(id: ID, bytes: Uint8Array | undefined, now: number): void {
    const { parameters, random, chain, own } = this.#options
    const { stake } = this.#requests
    const { connected, total } = this.#requests.connectedStake
    if (total === 0n || connected * BigInt(parameters.k) < total * BigInt(parameters.alphaConfidence)) return
    const sample = stake.sample(parameters.k, random)
    const requestID = this.#requests.nextID()
    const poll = new Poll(parameters, sample)
    this.#polls.start(requestID, poll)
    const height = chain.lastAccepted.height + 1n
    const message = (header: RequestHeader) => (bytes ? pushQuery(header, bytes, height) : pullQuery(header, id, height))
    for (const nodeID of sample.keys()) {
      if (nodeID === own) this.#voteOwn(requestID, own, height)
      else this.#ask(nodeID, requestID, message, now)
    }
  }

  #ask(nodeID: NodeID, requestID: number, message: (header: RequestHeader) => ReturnType<typeof pullQuery>, now: number): void {
    const kind = this.#options.bench.isBenched(nodeID) ? "benched" : "poll"
    const isAsked = this.#requests.ask(nodeID, { purpose: { kind }, answer: "chits", message }, now, requestID)
    if (!isAsked || kind === "benched") this.failed(nodeID, requestID)
  }

  /** A validator that is drawn into its own sample votes as it would answer others. */
  #voteOwn(requestID: number, own: NodeID, height: bigint): void {
    const { preference } = this.#snowman
    this.vote(own, requestID, [preference, this.#snowman.preferredAt(height) ?? preference])
  }

  /**
   * Brings the blocks of a vote into the tree; then the vote counts. Without the number of a poll, the blocks are only fetched. The vote of
   * a node that withholds blocks counts at once.
   */
  vote(nodeID: NodeID, requestID: number | undefined, ids: readonly ID[]): void {
    const pending = ids.filter((id) => this.#issuer.ensure(id, nodeID) && this.#issuer.isOnItsWay(id))
    if (requestID === undefined) return
    const vote = { requestID, nodeID, ids }
    if (pending.length > 0 && !this.#isWithholding(nodeID)) this.#votes.add(vote, pending)
    else this.#cast(vote)
  }

  /** A node did not answer a poll. It counts as if it still preferred the block that it has accepted. */
  failed(nodeID: NodeID, requestID: number): void {
    const last = this.tips.of(nodeID)
    if (last) this.vote(nodeID, requestID, [last.id])
    else this.#polls.vote(requestID, nodeID, undefined)
  }

  /** A block was issued, or will not be: the votes that waited for it count. */
  resolved(id: ID): void {
    for (const vote of this.#votes.resolved(id)) this.#cast(vote)
  }

  /** Ends the oldest poll if it is finished, and returns its votes. */
  takeFinished(): Votes | undefined {
    return this.#polls.takeFinished(this.#snowman)
  }

  #cast({ requestID, nodeID, ids }: Vote): void {
    let chosen: ID | undefined
    for (const id of ids) chosen ??= this.#issuer.processingAncestor(id)
    this.#polls.vote(requestID, nodeID, chosen)
  }
}
