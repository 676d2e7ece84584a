import type { Mempool } from "../../core/chain/mempool.js"
import { Invalid, valueOrInvalid } from "../../core/lib/invalid.js"
import { finish, type Work } from "../../core/lib/work.js"
import { decodeTx, type Tx } from "../../core/txs/tx.js"
import type { ID } from "../../core/types/id.js"

/** Dependencies of the intake of transactions. */
export interface TxIntakeOptions {
  readonly pool: Mempool
  /** Verifies a transaction and adds it to the mempool. Throws `Invalid`. */
  admit(tx: Tx): Work<void>
  isAccepted(txID: ID): boolean
  /** Returns Unix milliseconds of a monotonic clock. */
  now(): number
  /** Called when a transaction was admitted. */
  onAdmitted(): void
  /** Called with a fault in Serac. */
  onFault(error: unknown): void
}

/** The maximum number of transactions that wait to be verified. Others arrive again with the next pull. */
const MAX_WAITING = 1024
/** Milliseconds for which a refused transaction is not verified again. Meanwhile the block that it depends on may arrive. */
const REFUSED_MS = 2_000
const MAX_REFUSED = 1024

/** Takes the transactions that other nodes send, verifies one after the other, and adds the valid ones to the mempool. */
export class TxIntake {
  readonly #options: TxIntakeOptions
  readonly #waiting = new Map<ID, Tx>()
  /** Refused transactions with the time until which they are ignored, oldest first. */
  readonly #refused = new Map<ID, number>()
  #isRunning = false

  constructor(options: TxIntakeOptions) {
    this.#options = options
  }

  /** Takes transactions as bytes. It ignores invalid and known ones. */
  take(items: readonly Uint8Array[]): void {
    for (const bytes of items) {
      const tx = valueOrInvalid(() => decodeTx(bytes))
      if (!(tx instanceof Invalid) && this.#waiting.size < MAX_WAITING && this.#isNew(tx)) this.#waiting.set(tx.id, tx)
    }
    if (!this.#isRunning) void this.#run()
  }

  /** A node without shared memory cannot verify imports. */
  #isNew({ id, unsignedTx }: Tx): boolean {
    const { pool, isAccepted, now } = this.#options
    if (unsignedTx.kind === "ImportTx" || pool.has(id) || isAccepted(id)) return false
    return (this.#refused.get(id) ?? 0) <= now()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    try {
      for (const [id, tx] of this.#waiting) {
        this.#waiting.delete(id)
        await this.#admit(tx)
      }
    } catch (error) {
      this.#options.onFault(error)
    }
    this.#isRunning = false
  }

  async #admit(tx: Tx): Promise<void> {
    try {
      await finish(this.#options.admit(tx))
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      this.#refused.delete(tx.id)
      this.#refused.set(tx.id, this.#options.now() + REFUSED_MS)
      const [oldest] = this.#refused.keys()
      if (oldest !== undefined && this.#refused.size > MAX_REFUSED) this.#refused.delete(oldest)
      return
    }
    this.#options.onAdmitted()
  }
}
