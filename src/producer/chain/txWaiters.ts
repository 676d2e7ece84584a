import { TxStatus, tables } from "../../core/state/tables.js"
import type { ID } from "../../core/types/id.js"
import type { Store } from "../../store/store.js"
import type { Timers } from "../ports.js"
import type { ChainEvents, ChainHead } from "./chainHead.js"

/** Height and outcome of an accepted transaction. */
export interface TxAcceptance {
  /** True if it was proposed and then aborted. */
  readonly isAborted: boolean
  readonly height: bigint
}

/** The parts of a private chain that waiting calls need. */
interface TxWaitersParts {
  readonly head: ChainHead
  readonly store: Store
  readonly timers: Timers
  readonly decided: ChainEvents["decided"]
}

/** The calls that wait until a transaction is accepted or dropped. */
export class TxWaiters {
  readonly #parts: TxWaitersParts
  readonly #waiting = new Set<() => void>()

  constructor(parts: TxWaitersParts) {
    this.#parts = parts
  }

  /** Waits until a transaction is accepted or dropped, or until the seconds have passed. Returns the acceptance, if it was accepted. */
  async wait(txID: ID, seconds: number): Promise<TxAcceptance | undefined> {
    const isDecided = () => this.#acceptedTx(txID) !== undefined || this.#parts.head.pool.dropOf(txID) !== undefined
    if (!isDecided()) await this.#until(isDecided, seconds)
    return this.#acceptedTx(txID)
  }

  /** Ends all waiting calls with the present state. */
  release(): void {
    for (const done of [...this.#waiting]) done()
  }

  /** Reads the store, as the API does. A transaction is accepted when its block is written. */
  #acceptedTx(txID: ID): TxAcceptance | undefined {
    const row = this.#parts.store.latest.get(tables.txs, txID)
    return row && { isAborted: row.status === TxStatus.aborted, height: row.height }
  }

  #until(isDecided: () => boolean, seconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done)
        unsubscribe()
        cancel()
        resolve()
      }
      this.#waiting.add(done)
      const unsubscribe = this.#parts.decided.listen(() => isDecided() && done())
      const cancel = this.#parts.timers.after(seconds * 1000, done)
    })
  }
}
