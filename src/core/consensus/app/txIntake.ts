import type { Mempool } from "../../chain/mempool.js"
import { decodeOrUndefined } from "../../codec/decode.js"
import { Invalid } from "../../lib/invalid.js"
import { LruCache } from "../../lib/lruCache.js"
import type { ChargedPace } from "../../lib/pace.js"
import { WorkPace } from "../../lib/workPace.js"
import { BytesOfNodes } from "../../p2p/byteRoom.js"
import { MAX_SIZE, type Tx, topLevelTx } from "../../txs/tx.js"
import { type ID, idOf, type NodeID } from "../../types/id.js"

export interface TxIntakeOptions {
  readonly pool: Mempool
  /** Refuses a transaction that is too large, before it is decoded. Throws `Invalid`. */
  checkSize(bytes: Uint8Array): void
  /** Verifies a transaction and adds it to the mempool. Throws `Invalid`. */
  admit(tx: Tx, pace: ChargedPace): Promise<void>
  isAccepted(txID: ID): boolean
  readonly senders: TxSenders
  /** Returns Unix milliseconds of a monotonic clock. */
  now(): number
  /** Calls back after the input that has arrived so far was handled. */
  soon(callback: () => void): void
  onAdmitted(): void
  /** Called with a fault in Serac while a transaction was verified. The next one follows. */
  onFault(error: unknown): void
}

interface WaitingTx {
  readonly id: ID
  readonly bytes: Uint8Array
  readonly from: NodeID
}

/** The nodes that send transactions, as far as their work is limited. */
export interface TxSenders {
  /** Returns the share of all stake that a node has, 0 to 1. */
  stakeShareOf(nodeID: NodeID): number
  isConnected(nodeID: NodeID): boolean
  /** Returns whether nothing more of a node may be handled yet, because it has caused much work. */
  hasToWait(nodeID: NodeID): boolean
  /** Charges milliseconds of work to a node. */
  charge(nodeID: NodeID, milliseconds: number): void
}

/**
 * The maximum number of transactions that wait to be verified, besides the limits of their bytes, and of those of a message that are looked at.
 * Others arrive again with the next pull.
 */
const MAX_WAITING = 1024
/** Milliseconds for which a refused transaction is not verified again. Meanwhile the block that it depends on may arrive. */
const REFUSED_MS = 2_000
const MAX_REFUSED = 1024

/**
 * Takes the transactions that other nodes send, verifies one after the other, and adds the valid ones to the mempool. Each sender pays for its
 * own: those of a node that has caused much work wait, and those of a node that is gone are forgotten.
 */
export class TxIntake {
  readonly #options: TxIntakeOptions
  /** Transactions as bytes, because a decoded one takes up to twelve times as much memory. */
  readonly #waiting = new Map<ID, WaitingTx>()
  readonly #bytes: BytesOfNodes
  /** The times until which refused transactions are ignored. */
  readonly #refused = new LruCache<number>(MAX_REFUSED)
  #isRunning = false

  constructor(options: TxIntakeOptions) {
    this.#options = options
    this.#bytes = new BytesOfNodes((nodeID) => options.senders.stakeShareOf(nodeID))
  }

  get waitingBytes(): number {
    return this.#bytes.total
  }

  /** Takes transactions of a node as bytes. They are decoded one after the other. Invalid and known ones are ignored. */
  take(items: readonly Uint8Array[], from: NodeID): void {
    for (const bytes of items.slice(0, MAX_WAITING)) {
      if (this.#waiting.size >= MAX_WAITING || !this.#bytes.hasRoomFor(from)) break
      const id = idOf(bytes)
      if (!this.#isNew(id)) continue
      this.#waiting.set(id, { id, bytes: bytes.slice(), from })
      this.#bytes.add(from, bytes.length)
    }
    this.tick()
  }

  /** Goes on with transactions whose senders had to wait. */
  tick(): void {
    if (!this.#isRunning && this.#waiting.size > 0) void this.#run()
  }

  #isNew(id: ID): boolean {
    const { pool, isAccepted, now } = this.#options
    if (this.#waiting.has(id) || pool.has(id) || isAccepted(id)) return false
    return (this.#refused.get(id) ?? 0) <= now()
  }

  async #run(): Promise<void> {
    const { senders, now, soon } = this.#options
    this.#isRunning = true
    const pace = new WorkPace(now, soon)
    for (let next = this.#next(); next; next = this.#next()) {
      const { id, bytes, from } = next
      const before = pace.milliseconds
      await this.#admit(id, bytes, pace)
      this.#forget(next)
      senders.charge(from, pace.milliseconds - before)
      if (pace.isDue) await pace.pause()
    }
    this.#isRunning = false
  }

  /** Returns the first transaction whose sender may cause work, and forgets those whose sender is gone. */
  #next(): WaitingTx | undefined {
    const { senders } = this.#options
    for (const tx of this.#waiting.values()) {
      if (!senders.isConnected(tx.from)) this.#forget(tx)
      else if (!senders.hasToWait(tx.from)) return tx
    }
    return undefined
  }

  #forget({ id, bytes, from }: WaitingTx): void {
    this.#waiting.delete(id)
    this.#bytes.add(from, -bytes.length)
  }

  async #admit(id: ID, bytes: Uint8Array, pace: ChargedPace): Promise<void> {
    try {
      this.#options.checkSize(bytes)
      const tx = decodeOrUndefined(topLevelTx, bytes, { maxSize: MAX_SIZE })
      // A node without shared memory cannot verify imports.
      if (!tx || tx.unsignedTx.kind === "ImportTx") return
      await this.#options.admit(tx, pace)
      this.#options.onAdmitted()
    } catch (error) {
      if (!(error instanceof Invalid)) this.#options.onFault(error)
      this.#refused.set(id, this.#options.now() + REFUSED_MS)
    }
  }
}
