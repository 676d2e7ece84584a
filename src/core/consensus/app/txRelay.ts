import type { Block } from "../../blocks/block.js"
import { txsOf } from "../../blocks/block.js"
import { chainError } from "../../chain/errors.js"
import { sampleOf } from "../../p2p/random.js"
import { consumedUtxoIDs } from "../../txs/amounts.js"
import type { Tx } from "../../txs/tx.js"
import type { ID, NodeID } from "../../types/id.js"
import { GOSSIP_BYTES, type GossipOptions, pushGossip } from "./txGossip.js"

/** Milliseconds between two pushes of new transactions, so that those that arrive together share a message. */
const PUSH_INTERVAL_MS = 20
const REPEAT_INTERVAL_MS = 500
const REPEAT_MS = 30_000
/** New transactions are pushed to the validators with this share of the connected stake, percent, and to some others. */
const STAKE_PERCENT = 90n
const MORE_VALIDATORS = 100
const VALIDATORS_OF_REPEATS = 10

/** Stores the transactions that were issued here, and pushes them to validators repeatedly until they are accepted or invalid. */
export class TxRelay {
  readonly #options: GossipOptions
  /** Transactions that were issued here, and when each was pushed last; `undefined` until it is. */
  readonly #own = new Map<ID, number | undefined>()
  #nextPush = 0
  #nextRepeat = 0

  constructor(options: GossipOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#own.size
  }

  /** A transaction was verified and is in the pool: it is pushed from now on. */
  issued(id: ID): void {
    if (!this.#own.has(id)) this.#own.set(id, undefined)
  }

  /** Takes the transactions of an accepted block out of the pool, and those that can no longer be valid beside them. */
  accepted(block: Block): void {
    const { pool } = this.#options
    for (const { id, unsignedTx } of txsOf(block)) {
      pool.remove(id)
      this.#own.delete(id)
      for (const { id: conflicting } of pool.removeConflicts(consumedUtxoIDs(unsignedTx))) this.#drop(conflicting)
    }
  }

  tick(now: number): void {
    if (this.#own.size === 0 || now < this.#nextPush) return
    this.#nextPush = now + PUSH_INTERVAL_MS
    for (const id of this.#own.keys()) if (!this.#options.pool.has(id)) this.#own.delete(id)
    const fresh = [...this.#own].filter(([, pushedAt]) => pushedAt === undefined)
    this.#push(fresh, () => this.#many(), now)
    if (now < this.#nextRepeat) return
    this.#nextRepeat = now + REPEAT_INTERVAL_MS
    const { random, validators } = this.#options
    const old = [...this.#own].filter(([, pushedAt]) => pushedAt !== undefined && now - pushedAt >= REPEAT_MS)
    this.#push(old, () => sampleOf(random, validators(), VALIDATORS_OF_REPEATS), now)
  }

  #push(
    due: readonly (readonly [ID, number | undefined])[],
    to: () => readonly { readonly nodeID: NodeID }[],
    now: number,
  ): void {
    const batch: Tx[] = []
    let size = 0
    for (const [id] of due) {
      const tx = this.#options.pool.get(id)
      if (!tx || size > GOSSIP_BYTES) continue
      batch.push(tx)
      size += tx.bytes.length
    }
    if (batch.length === 0) return
    const message = pushGossip(batch)
    const sent = to().filter(({ nodeID }) => this.#options.send(nodeID, message))
    if (sent.length > 0) for (const { id } of batch) this.#own.set(id, now)
  }

  /** Returns the validators with most of the stake, and some others. */
  #many() {
    const validators = this.#options.validators()
    const total = validators.reduce((sum, { weight }) => sum + weight, 0n)
    let sum = 0n
    const top = validators.filter(({ weight }) => {
      const isTop = sum * 100n < total * STAKE_PERCENT
      sum += weight
      return isTop
    })
    const rest = validators.slice(top.length)
    return [...top, ...sampleOf(this.#options.random, rest, MORE_VALIDATORS)]
  }

  #drop(id: ID): void {
    this.#own.delete(id)
    const error = chainError("chain.conflicting_tx")
    this.#options.pool.markDropped(id, { error, reason: error.avalanchegoMessage })
  }
}
