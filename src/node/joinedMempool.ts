import type { Block } from "../core/blocks/block.js"
import { admissionWork } from "../core/chain/admissionWork.js"
import { Mempool } from "../core/chain/mempool.js"
import { answerApp } from "../core/consensus/app/appHandler.js"
import { PullThrottle } from "../core/consensus/app/pullThrottle.js"
import { TxRelay } from "../core/consensus/app/txRelay.js"
import type { OuterChain } from "../core/consensus/proposer/outerChain.js"
import { childTimestamp } from "../core/consensus/proposer/wrapperRules.js"
import { bls } from "../core/crypto/backends.js"
import { Invalid } from "../core/lib/invalid.js"
import type { Work } from "../core/lib/work.js"
import type { OutgoingMessage } from "../core/p2p/message.js"
import type { Peers } from "../core/p2p/peers.js"
import type { Random } from "../core/p2p/random.js"
import type { ChainMessage } from "../core/p2p/session.js"
import { contextHeight, newEpoch } from "../core/rules/epoch.js"
import type { Tx } from "../core/txs/tx.js"
import type { ID, NodeID } from "../core/types/id.js"
import type { NodePort } from "../services/context.js"
import { nodeError } from "./errors.js"
import type { Identity } from "./identity.js"

/** Parts of the mempool of a joined node. */
export interface JoinedMempoolOptions {
  outer(): OuterChain
  readonly identity: Identity
  readonly random: Random
  /** A clock that is never set, Unix milliseconds. */
  now(): number
  /** The machine's clock, Unix seconds. */
  unixSeconds(): bigint
  /** The P-Chain height that a block made now would name. */
  proposedHeight(): bigint
  peers(): Peers | undefined
}

/** The transactions that were issued at a joined node: verified, kept, pushed to validators, and given to those who pull. */
export class JoinedMempool {
  readonly #options: JoinedMempoolOptions
  readonly #pool = new Mempool()
  readonly #pulls = new PullThrottle()
  readonly #relay: TxRelay

  constructor(options: JoinedMempoolOptions) {
    this.#options = options
    this.#relay = new TxRelay({
      pool: this.#pool,
      random: options.random,
      validators: () => options.peers()?.connectedValidators() ?? [],
      send: (nodeID, message) => options.peers()?.send(nodeID, message) ?? false,
    })
  }

  /** How many transactions wait. */
  get size(): number {
    return this.#pool.size
  }

  statusOf(txID: ID): ReturnType<NodePort["txStatus"]> {
    if (this.#pool.has(txID)) return { status: "Processing" }
    const drop = this.#pool.dropOf(txID)
    return drop && { status: "Dropped", reason: drop.reason }
  }

  /** Verifies a transaction and keeps it for the validators. Throws `Invalid` with what the issuer is told as its reference. */
  *issue(tx: Tx): Work<void> {
    if (tx.unsignedTx.kind === "ImportTx") throw nodeError("node.no_shared_memory")
    if (!this.#pool.has(tx.id)) yield* this.#admit(tx)
    this.#relay.issued(tx.id)
    this.tick(this.#options.now())
  }

  /** A block was accepted. */
  accepted(block: Block): void {
    this.#relay.accepted(block)
  }

  tick(now: number): void {
    this.#relay.tick(now)
  }

  /** Answers another node's message to the P-Chain's VM. */
  answer(nodeID: NodeID, message: Extract<ChainMessage, { case: "appRequest" | "appGossip" }>): OutgoingMessage | undefined {
    const { identity, now, peers } = this.#options
    const outer = this.#options.outer()
    const validators = peers()?.connectedValidators() ?? []
    return answerApp(nodeID, message, {
      networkID: outer.chain.rules.networkID,
      state: outer.chain.state,
      sign: (bytes) => bls().sign(identity.secret, bytes),
      pool: this.#pool,
      pulls: this.#pulls,
      validators: validators.length,
      now: now(),
      isValidator: (each) => validators.some((validator) => validator.nodeID === each),
    })
  }

  *#admit(tx: Tx): Work<void> {
    const drop = this.#pool.dropOf(tx.id)
    if (drop) throw withText(drop.error, drop.reason)
    const { chain } = this.#options.outer()
    const blockContext = chain.blockContextAt(this.#options.unixSeconds())
    const admission = yield* admissionWork(tx, { blockContext, preferred: chain.state, pChainHeight: this.#contextHeight() })
    if (!admission.ok) {
      this.#pool.markDropped(tx.id, admission)
      throw withText(admission.error, admission.answer)
    }
    if (!this.#pool.has(tx.id)) this.#pool.add(tx, admission)
  }

  /** The height at which the Warp messages of a block made now are verified. */
  #contextHeight(): bigint {
    const { unixSeconds, proposedHeight } = this.#options
    const outer = this.#options.outer()
    const { upgrades } = outer.chain.rules
    const parent = outer.parentFor(outer.lastAccepted)
    const timestamp = childTimestamp(parent, unixSeconds())
    const wrapped = { timestamp, pChainHeight: proposedHeight(), epoch: newEpoch(upgrades, parent, timestamp) }
    return contextHeight(upgrades, wrapped, parent.pChainHeight)
  }
}

/** The same refusal, told in these words of the reference. */
function withText(error: Invalid, avalanchegoMessage: string): Invalid {
  return new Invalid(error.code, { sentence: error.sentence, avalanchegoMessage }, error.data)
}
