import type { Mempool } from "../../chain/mempool.js"
import { decodeOrUndefined } from "../../codec/decode.js"
import { Invalid } from "../../lib/invalid.js"
import { LruCache } from "../../lib/lruCache.js"
import { BytesOfNodes } from "../../p2p/byteRoom.js"
import { MAX_SIZE, type Tx, topLevelTx } from "../../txs/tx.js"
import { type ID, idOf, type NodeID } from "../../types/id.js"

export interface TxIntakeOptions {
  readonly pool: Mempool
  /** Refuses a transaction that is too large, before it is decoded. Throws `Invalid`. */
  checkSize(bytes: Uint8Array): void
  /** Verifies a transaction and adds it to the mempool. Throws `Invalid`. */
  admit(tx: Tx): Promise<void>
  isAccepted(txID: ID): boolean
  /** Returns the share of all stake that a node has, 0 to 1. */
  stakeShareOf(nodeID: NodeID): number
  /** Returns Unix milliseconds of a monotonic clock. */
  now(): number
  onAdmitted(): void
  /** Called with a fault in Serac while a transaction was verified. The next one follows. */
  onFault(error: unknown): void
}

/** The maximum number of transactions that wait to be verified, besides the limits of their bytes. Others arrive again with the next pull. */
const MAX_WAITING = 1024
/** Milliseconds for which a refused transaction is not verified again. Meanwhile the block that it depends on may arrive. */
const REFUSED_MS = 2_000
const MAX_REFUSED = 1024

/** Takes the transactions that other nodes send, verifies one after the other, and adds the valid ones to the mempool. */
export class TxIntake {
  readonly #options: TxIntakeOptions
  /** Transactions as bytes, because a decoded one takes up to twelve times as much memory. */
  readonly #waiting = new Map<ID, { readonly bytes: Uint8Array; readonly from: NodeID }>()
  readonly #bytes: BytesOfNodes
  /** The times until which refused transactions are ignored. */
  readonly #refused = new LruCache<number>(MAX_REFUSED)
  #isRunning = false

  constructor(options: TxIntakeOptions) {
    this.#options = options
    this.#bytes = new BytesOfNodes((nodeID) => options.stakeShareOf(nodeID))
  }

  get waitingBytes(): number {
    return this.#bytes.total
  }

  /** Takes transactions of a node as bytes. They are decoded one after the other. Invalid and known ones are ignored. */
  take(items: readonly Uint8Array[], from: NodeID): void {
    for (const bytes of items) {
      if (this.#waiting.size >= MAX_WAITING || !this.#bytes.hasRoomFor(from)) break
      const id = idOf(bytes)
      if (!this.#isNew(id)) continue
      this.#waiting.set(id, { bytes: bytes.slice(), from })
      this.#bytes.add(from, bytes.length)
    }
    if (!this.#isRunning) void this.#run()
  }

  #isNew(id: ID): boolean {
    const { pool, isAccepted, now } = this.#options
    if (this.#waiting.has(id) || pool.has(id) || isAccepted(id)) return false
    return (this.#refused.get(id) ?? 0) <= now()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (const [id, { bytes, from }] of this.#waiting) {
      await this.#admit(id, bytes)
      this.#waiting.delete(id)
      this.#bytes.add(from, -bytes.length)
    }
    this.#isRunning = false
  }

  async #admit(id: ID, bytes: Uint8Array): Promise<void> {
    try {
      this.#options.checkSize(bytes)
      const tx = decodeOrUndefined(topLevelTx, bytes, { maxSize: MAX_SIZE })
      // A node without shared memory cannot verify imports.
      if (!tx || tx.unsignedTx.kind === "ImportTx") return
      await this.#options.admit(tx)
      this.#options.onAdmitted()
    } catch (error) {
      if (!(error instanceof Invalid)) this.#options.onFault(error)
      this.#refused.set(id, this.#options.now() + REFUSED_MS)
    }
  }
}
