import type { MessageKind } from "../../p2p/message.js"
import { type OpenRequest, Requests } from "../../p2p/requests.js"
import type { ID, NodeID } from "../../types/id.js"
import type { Stake } from "../snowman/stake.js"
import type { ConsensusOptions } from "./enginePort.js"

/** Purpose of a request. The vote of a benched node has already been counted as failed; its answer only shows that the node answers again. */
export type RequestPurpose = { readonly kind: "poll" | "benched" | "idle" } | { readonly kind: "get"; readonly id: ID }

/** Time for which the votes of a node that withheld a block are not waited for, milliseconds. */
const WITHHOLDING_MS = 30_000

/** The requests to validators, and the validators that can be asked: those that are connected and answer. Times are Unix milliseconds. */
export class ValidatorRequests {
  readonly #options: Pick<ConsensusOptions, "bench" | "port" | "own">
  readonly open: Requests<RequestPurpose>
  readonly #connected: Set<NodeID>
  /** The nodes that named a block and did not deliver it, and until when that counts; the one that did so last is last. */
  readonly #withholding = new Map<NodeID, number>()
  stake: Stake

  constructor(options: Pick<ConsensusOptions, "bench" | "port" | "timeouts" | "own">, stake: Stake, connected: Iterable<NodeID>) {
    this.#options = options
    this.open = new Requests((nodeID, message) => options.port.send(nodeID, message), options.timeouts)
    this.#connected = new Set(connected)
    this.stake = stake
  }

  connected(nodeID: NodeID): void {
    this.#connected.add(nodeID)
  }

  /** Called when a node disconnected. Returns the requests to it, which have failed. */
  disconnected(nodeID: NodeID): OpenRequest<RequestPurpose>[] {
    this.#connected.delete(nodeID)
    return this.open.abandon(nodeID)
  }

  /** The connected validators that are not benched. */
  reachable(): NodeID[] {
    const { bench } = this.#options
    return this.stake.nodes.filter((nodeID) => this.#connected.has(nodeID) && !bench.isBenched(nodeID))
  }

  /** The stake that can be asked, including this node's own if it validates, and the total stake. */
  get connectedStake(): { readonly connected: bigint; readonly total: bigint } {
    const { own } = this.#options
    const ownWeight = own === undefined ? 0n : this.stake.weightOf(own)
    return { connected: this.stake.weightOfAll(this.reachable()) + ownWeight, total: this.stake.total }
  }

  /** Ends the request that an answer belongs to. A node that answers is less likely to be benched. */
  answered(nodeID: NodeID, requestID: number, kind: MessageKind, now: number): RequestPurpose | undefined {
    const purpose = this.open.answer(nodeID, requestID, kind, now)
    if (purpose) this.#options.bench.observe(nodeID, false, this.stake, now)
    return purpose
  }

  /** Ends the requests that timed out. A node that does not answer is more likely to be benched. */
  expired(now: number): OpenRequest<RequestPurpose>[] {
    const late = this.open.expired(now)
    for (const { nodeID, data } of late) {
      this.#options.bench.observe(nodeID, true, this.stake, now)
      if (data.kind === "get") this.withheld(nodeID, now)
    }
    return late
  }

  /** Records that a node named a block and did not deliver it, and forgets those of long ago. */
  withheld(nodeID: NodeID, now: number): void {
    for (const each of this.#withholding.keys()) if (this.isWithholding(each, now)) break
    this.#withholding.delete(nodeID)
    this.#withholding.set(nodeID, now + WITHHOLDING_MS)
  }

  /**
   * Returns whether a node withheld a block lately. A vote for an unknown block waits for the block, and polls end in the order in which they
   * began, so otherwise a node that names unknown blocks could delay every poll for a whole timeout.
   */
  isWithholding(nodeID: NodeID, now: number): boolean {
    const until = this.#withholding.get(nodeID)
    if (until === undefined || now < until) return until !== undefined
    this.#withholding.delete(nodeID)
    return false
  }
}
