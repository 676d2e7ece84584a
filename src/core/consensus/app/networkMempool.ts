import type { Block } from "../../blocks/block.js"
import type { TxAdmission } from "../../chain/admission.js"
import { type AdmissionTarget, admitTx, verifyAndAdd } from "../../chain/admitTx.js"
import { Mempool } from "../../chain/mempool.js"
import { checkTxSize } from "../../chain/sizes.js"
import { verifyWithPauses } from "../../chain/verifyWithPauses.js"
import type { ChargedPace } from "../../lib/pace.js"
import type { OutgoingMessage } from "../../p2p/message.js"
import type { Peers } from "../../p2p/peers.js"
import type { Random } from "../../p2p/random.js"
import { tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { Tx } from "../../txs/tx.js"
import type { ID, NodeID } from "../../types/id.js"
import type { OuterChain } from "../proposer/outerChain.js"
import { childContextHeight } from "../proposer/wrapBlock.js"
import { answerApp, PullThrottle } from "./answerApp.js"
import type { AppMessage } from "./envelope.js"
import { pushedTxs } from "./txGossip.js"
import { TxIntake } from "./txIntake.js"
import { TxPull } from "./txPull.js"
import { TxRelay } from "./txRelay.js"

interface MempoolNode {
  readonly outer: OuterChain
  /** The peers, once the node has connections. */
  readonly peers: Peers | undefined
  /** True if the node validates. A validator accepts transactions from other nodes. */
  readonly isValidating: boolean
  /** Returns the node's clock, Unix seconds. */
  now(): bigint
  /** Returns Unix milliseconds of a monotonic clock. */
  steadyNow(): number
  /** Returns the P-Chain height that a block made now would name. */
  proposedHeight(): bigint
  /** Returns the state after the block that the node prefers, on which the next block is built. */
  preferredState(): View
}

export interface NetworkMempoolOptions {
  readonly node: MempoolNode
  readonly random: Random
  /** Calls back after the input that has arrived so far was handled. */
  soon(callback: () => void): void
  /** Signs a Warp message with the node's BLS key. */
  sign(message: Uint8Array): Uint8Array
  /** Called when transactions were admitted, because a block may be built. */
  onAdmitted(): void
  /** Called with a fault in Serac while a transaction of a peer was verified. */
  onFault(error: unknown): void
}

/**
 * The mempool of a node in a network. It verifies transactions, pushes those that were issued here to validators, and gives them to nodes that
 * pull. A validator also accepts pushed transactions, and pulls from others.
 */
export class NetworkMempool {
  readonly #options: NetworkMempoolOptions
  readonly pool = new Mempool()
  readonly #pulls = new PullThrottle()
  readonly #relay: TxRelay
  readonly #pull: TxPull
  readonly #intake: TxIntake
  readonly #admissions: AdmissionTarget = {
    pool: () => this.pool,
    verify: (tx, pace) => this.#verify(tx, pace),
    drop: ({ id }, error, reason) => this.pool.markDropped(id, { error, reason }),
  }

  constructor(options: NetworkMempoolOptions) {
    this.#options = options
    const { node, onAdmitted, onFault } = options
    const peers = {
      pool: this.pool,
      random: options.random,
      validators: () => node.peers?.connectedValidators() ?? [],
      send: (nodeID: NodeID, message: OutgoingMessage) => node.peers?.send(nodeID, message) ?? false,
    }
    this.#relay = new TxRelay(peers)
    this.#pull = new TxPull(peers)
    this.#intake = new TxIntake({
      pool: this.pool,
      checkSize: (bytes) => checkTxSize({ bytes }, node.outer.chain.blockContextAt(node.now())),
      admit: (tx, pace) => verifyAndAdd(this.#admissions, tx, pace),
      isAccepted: (txID) => node.outer.chain.state.get(tables.txs, txID) !== undefined,
      senders: {
        stakeShareOf: (nodeID) => node.peers?.book.stakeShareOf(nodeID) ?? 0,
        isConnected: (nodeID) => node.peers?.isConnected(nodeID) ?? false,
        hasToWait: (nodeID) => node.peers?.hasToWait(nodeID, node.steadyNow()) ?? false,
        charge: (nodeID, milliseconds) => node.peers?.charge(nodeID, milliseconds, node.steadyNow()),
      },
      now: () => node.steadyNow(),
      soon: options.soon,
      onAdmitted,
      onFault,
    })
  }

  statusOf(txID: ID): { readonly status: "Processing" } | { readonly status: "Dropped"; readonly reason: string } | undefined {
    const isInUndecided = () => this.#options.node.preferredState().get(tables.txs, txID) !== undefined
    if (this.pool.has(txID) || isInUndecided()) return { status: "Processing" }
    const drop = this.pool.dropOf(txID)
    return drop && { status: "Dropped", reason: drop.reason }
  }

  /** Verifies a transaction and stores it for the validators. Throws `Invalid` with AvalancheGo's text for the issuer. */
  async issue(tx: Tx, pace: ChargedPace): Promise<void> {
    await admitTx(this.#admissions, tx, pace)
    this.#relay.issued(tx.id)
    this.tick(this.#options.node.steadyNow())
    this.#options.onAdmitted()
  }

  accepted(block: Block): void {
    this.#relay.accepted(block)
  }

  tick(now: number): void {
    this.#relay.tick(now)
    this.#intake.tick()
    if (this.#options.node.isValidating) this.#pull.tick(now)
  }

  /** Handles another node's message to the P-Chain's VM. Returns the answer to a request; other messages have none. */
  message(nodeID: NodeID, message: AppMessage): OutgoingMessage | undefined {
    if (message.case === "appRequest") return this.#answer(nodeID, message)
    if (message.case === "appGossip" && this.#options.node.isValidating)
      this.#intake.take(pushedTxs(message.value.appBytes), nodeID)
    if (message.case === "appResponse") {
      const { requestId, appBytes } = message.value
      this.#intake.take(this.#pull.answered(nodeID, requestId, appBytes, this.#options.node.steadyNow()), nodeID)
    }
    return undefined
  }

  #answer(nodeID: NodeID, message: Extract<AppMessage, { case: "appRequest" }>): OutgoingMessage | undefined {
    const { sign, node } = this.#options
    const { rules, state } = node.outer.chain
    return answerApp(nodeID, message, {
      networkID: rules.networkID,
      state,
      sign,
      pool: this.pool,
      pulls: this.#pulls,
      validators: node.peers?.connectedValidators() ?? [],
      now: node.steadyNow(),
    })
  }

  #verify(tx: Tx, pace: ChargedPace): Promise<TxAdmission> {
    const { node } = this.#options
    const { outer } = node
    const { upgrades } = outer.chain.rules
    const contextNow = () => {
      const moment = { upgrades, nowSeconds: node.now(), pChainHeight: node.proposedHeight() }
      return {
        blockContext: outer.chain.blockContextAt(moment.nowSeconds),
        preferred: node.preferredState(),
        pChainHeight: childContextHeight(outer.parentFor(outer.lastAccepted), moment),
      }
    }
    return verifyWithPauses(tx, contextNow, pace)
  }
}
