import { nodeError } from "../../chaindata/errors.js"
import type { Block } from "../../core/blocks/block.js"
import type { TxAdmission } from "../../core/chain/admission.js"
import { type AdmissionTarget, admitTx, verifyAndAdd } from "../../core/chain/admitTx.js"
import { Mempool } from "../../core/chain/mempool.js"
import { checkTxSize } from "../../core/chain/sizes.js"
import { verifyWithPauses } from "../../core/chain/verifyWithPauses.js"
import { answerApp } from "../../core/consensus/app/appHandler.js"
import type { AppMessage } from "../../core/consensus/app/envelope.js"
import { PullThrottle } from "../../core/consensus/app/pullThrottle.js"
import { pushedTxs } from "../../core/consensus/app/txGossip.js"
import { TxIntake } from "../../core/consensus/app/txIntake.js"
import { TxPull } from "../../core/consensus/app/txPull.js"
import { TxRelay } from "../../core/consensus/app/txRelay.js"
import { childTimestamp } from "../../core/consensus/proposer/wrapperRules.js"
import { type ChargedPace, neverPausing } from "../../core/lib/pace.js"
import type { OutgoingMessage } from "../../core/p2p/message.js"
import { contextHeight, newEpoch } from "../../core/rules/epoch.js"
import { tables } from "../../core/state/tables.js"
import type { Tx } from "../../core/txs/tx.js"
import type { ID, NodeID } from "../../core/types/id.js"
import type { Identity } from "../../node/identity/identity.js"
import { bls } from "../../platform/backends.js"
import type { NodePort } from "../../services/context.js"
import type { JoinedStatus } from "./joinedStatus.js"
import { systemRandom } from "./systemRandom.js"

export interface JoinedMempoolOptions {
  readonly status: Pick<
    JoinedStatus,
    "outer" | "peers" | "isValidating" | "now" | "steadyNow" | "proposedHeight" | "preferredState"
  >
  readonly identity: Identity
  /** Called when transactions were admitted, because a block may be built. */
  onAdmitted(): void
  /** Called with a fault in Serac while a transaction of a peer was verified. */
  onFault(error: unknown): void
}

/**
 * The mempool of a joined node. It verifies transactions, pushes those that were issued here to validators, and gives them to nodes that
 * pull. A validator also accepts pushed transactions, and pulls from others.
 */
export class JoinedMempool {
  readonly #options: JoinedMempoolOptions
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

  constructor(options: JoinedMempoolOptions) {
    this.#options = options
    const { status, onAdmitted, onFault } = options
    const peers = {
      pool: this.pool,
      random: systemRandom,
      validators: () => status.peers?.connectedValidators() ?? [],
      send: (nodeID: NodeID, message: OutgoingMessage) => status.peers?.send(nodeID, message) ?? false,
    }
    this.#relay = new TxRelay(peers)
    this.#pull = new TxPull(peers)
    this.#intake = new TxIntake({
      pool: this.pool,
      checkSize: (bytes) => checkTxSize({ bytes }, status.outer.chain.blockContextAt(status.now())),
      admit: (tx) => verifyAndAdd(this.#admissions, tx, neverPausing),
      isAccepted: (txID) => status.outer.chain.state.get(tables.txs, txID) !== undefined,
      stakeShareOf: (nodeID) => status.peers?.stakeShareOf(nodeID) ?? 0,
      now: () => status.steadyNow(),
      onAdmitted,
      onFault,
    })
  }

  /** Number of waiting transactions. */
  get size(): number {
    return this.pool.size
  }

  statusOf(txID: ID): ReturnType<NodePort["txStatus"]> {
    const isInUndecided = () => this.#options.status.preferredState().get(tables.txs, txID) !== undefined
    if (this.pool.has(txID) || isInUndecided()) return { status: "Processing" }
    const drop = this.pool.dropOf(txID)
    return drop && { status: "Dropped", reason: drop.reason }
  }

  /** Verifies a transaction and stores it for the validators. Throws `Invalid` with AvalancheGo's text for the issuer. */
  async issue(tx: Tx, pace: ChargedPace): Promise<void> {
    if (tx.unsignedTx.kind === "ImportTx") throw nodeError("node.no_shared_memory")
    await admitTx(this.#admissions, tx, pace)
    this.#relay.issued(tx.id)
    this.tick(this.#options.status.steadyNow())
    this.#options.onAdmitted()
  }

  /** Called when a block was accepted. */
  accepted(block: Block): void {
    this.#relay.accepted(block)
  }

  tick(now: number): void {
    this.#relay.tick(now)
    if (this.#options.status.isValidating) this.#pull.tick(now)
  }

  /** Handles another node's message to the P-Chain's VM. Returns the answer to a request; other messages have none. */
  message(nodeID: NodeID, message: AppMessage): OutgoingMessage | undefined {
    if (message.case === "appRequest") return this.#answer(nodeID, message)
    if (message.case === "appGossip" && this.#options.status.isValidating)
      this.#intake.take(pushedTxs(message.value.appBytes), nodeID)
    if (message.case === "appResponse") {
      const { requestId, appBytes } = message.value
      this.#intake.take(this.#pull.answered(nodeID, requestId, appBytes, this.#options.status.steadyNow()), nodeID)
    }
    return undefined
  }

  #answer(nodeID: NodeID, message: Extract<AppMessage, { case: "appRequest" }>): OutgoingMessage | undefined {
    const { identity, status } = this.#options
    const { rules, state } = status.outer.chain
    const validators = status.peers?.connectedValidators() ?? []
    return answerApp(nodeID, message, {
      networkID: rules.networkID,
      state,
      sign: (bytes) => bls().sign(identity.secret, bytes),
      pool: this.pool,
      pulls: this.#pulls,
      validators: validators.length,
      now: status.steadyNow(),
      isValidator: (each) => validators.some((validator) => validator.nodeID === each),
    })
  }

  #verify(tx: Tx, pace: ChargedPace): Promise<TxAdmission> {
    const { status } = this.#options
    const contextNow = () => ({
      blockContext: status.outer.chain.blockContextAt(status.now()),
      preferred: status.preferredState(),
      pChainHeight: this.#contextHeight(),
    })
    return verifyWithPauses(tx, contextNow, pace)
  }

  /** Returns the height at which the Warp messages of a block made now are verified. */
  #contextHeight(): bigint {
    const { status } = this.#options
    const { outer } = status
    const { upgrades } = outer.chain.rules
    const parent = outer.parentFor(outer.lastAccepted)
    const timestamp = childTimestamp(parent, status.now())
    const wrapped = { timestamp, pChainHeight: status.proposedHeight(), epoch: newEpoch(upgrades, parent, timestamp) }
    return contextHeight(upgrades, wrapped, parent.pChainHeight)
  }
}
