import type { Mempool } from "../core/chain/mempool.js"
import { Invalid } from "../core/lib/invalid.js"
import { finish, type Work } from "../core/lib/work.js"
import { decodeTx, type Tx } from "../core/txs/tx.js"
import type { ID } from "../core/types/id.js"

/** Dependencies of the intake of transactions. */
export interface TxIntakeOptions {
  readonly pool: Mempool
  /** Verifies a transaction and puts it into the pool. Throws `Invalid`. */
  admit(tx: Tx): Work<void>
  isAccepted(txID: ID): boolean
  /** A clock that is never set, Unix milliseconds. */
  now(): number
  /** A transaction was admitted. */
  onAdmitted(): void
  /** Called with a fault of ours. */
  onFault(error: unknown): void
}

/** The most transactions that wait to be verified. Others come again with the next pull. */
const MAX_WAITING = 1024
/** A refused transaction is not verified again for so long: until then the block that it depends on may have come. */
const REFUSED_MS = 2_000
const MAX_REFUSED = 1024

/** Takes the transactions that other nodes send: verifies one after the other, and keeps the valid ones in the mempool. */
export class TxIntake {
  readonly #options: TxIntakeOptions
  readonly #waiting = new Map<ID, Tx>()
  /** Refused transactions, and until when they are passed over, oldest first. */
  readonly #refused = new Map<ID, number>()
  #isRunning = false

  constructor(options: TxIntakeOptions) {
    this.#options = options
  }

  /** Takes transactions as bytes; what is no transaction, and what is known already, is passed over. */
  take(items: readonly Uint8Array[]): void {
    for (const bytes of items) {
      const tx = readOrUndefined(bytes)
      if (tx && this.#waiting.size < MAX_WAITING && this.#isNew(tx)) this.#waiting.set(tx.id, tx)
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

function readOrUndefined(bytes: Uint8Array): Tx | undefined {
  try {
    return decodeTx(bytes)
  } catch (error) {
    if (error instanceof Invalid) return undefined
    throw error
  }
}
