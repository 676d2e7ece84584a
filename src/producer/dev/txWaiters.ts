import { TxStatus, tables } from "../../core/state/tables.js"
import type { ID } from "../../core/types/id.js"
import type { PrivateChain } from "../privateChain.js"

/** Height and outcome of an accepted transaction. */
export interface TxAcceptance {
  /** True if it was proposed and then aborted. */
  readonly isAborted: boolean
  readonly height: bigint
}

/** The calls that wait until a transaction is accepted or dropped. */
export class TxWaiters {
  readonly #chain: PrivateChain
  readonly #waiting = new Set<() => void>()

  constructor(chain: PrivateChain) {
    this.#chain = chain
  }

  /** Waits until a transaction is accepted or dropped, or until the seconds have passed. Returns the acceptance, if it was accepted. */
  async wait(txID: ID, seconds: number): Promise<TxAcceptance | undefined> {
    const { status } = this.#chain
    const isDecided = () => this.#acceptedTx(txID) !== undefined || status.pool.dropOf(txID) !== undefined
    if (!isDecided()) await this.#until(isDecided, seconds)
    return this.#acceptedTx(txID)
  }

  /** Ends all waiting calls with the present state. */
  release(): void {
    for (const done of [...this.#waiting]) done()
  }

  /** Reads the store, as the API does. A transaction is accepted when its block is written. */
  #acceptedTx(txID: ID): TxAcceptance | undefined {
    const row = this.#chain.options.store.latest.get(tables.txs, txID)
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
      const unsubscribe = this.#chain.onDecided(() => isDecided() && done())
      const cancel = this.#chain.options.timers.after(seconds * 1000, done)
    })
  }
}
