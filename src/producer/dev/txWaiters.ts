import { TxStatus, tables } from "../../core/state/tables.js"
import type { ID } from "../../core/types/id.js"
import type { Producer } from "../producer.js"

/** How a transaction was accepted. */
export interface AcceptedTx {
  /** It was proposed, and decided against. */
  readonly isAborted: boolean
  readonly height: bigint
}

/** Those who wait to hear what became of a transaction. */
export class TxWaiters {
  readonly #producer: Producer
  readonly #waiting = new Set<() => void>()

  constructor(producer: Producer) {
    this.#producer = producer
  }

  /** Waits until a transaction is accepted or dropped, or so many seconds went by. How it was accepted, if it was. */
  async wait(txID: ID, seconds: number): Promise<AcceptedTx | undefined> {
    const { head } = this.#producer
    const isDecided = () => this.#acceptedTx(txID) !== undefined || head.pool.dropOf(txID) !== undefined
    if (!isDecided()) await this.#until(isDecided, seconds)
    return this.#acceptedTx(txID)
  }

  /** Lets everyone go with what is known by now. */
  release(): void {
    for (const done of [...this.#waiting]) done()
  }

  /** As readers see it: written, and not only accepted. */
  #acceptedTx(txID: ID): AcceptedTx | undefined {
    const row = this.#producer.state.latest.get(tables.txs, txID)
    return row && { isAborted: row.status === TxStatus.aborted, height: row.height }
  }

  #until(isDecided: () => boolean, seconds: number): Promise<void> {
    const { head, options } = this.#producer
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done)
        unsubscribe()
        cancel()
        resolve()
      }
      this.#waiting.add(done)
      const unsubscribe = head.watch(() => isDecided() && done())
      const cancel = options.timers.after(seconds * 1000, done)
    })
  }
}
