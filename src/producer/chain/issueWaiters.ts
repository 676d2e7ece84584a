import { withText } from "../../core/chain/admitTx.js"
import { Invalid } from "../../core/lib/invalid.js"
import { tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import type { ID } from "../../core/types/id.js"
import type { WaitingTxs } from "./chainStatus.js"

/** One issuer that waits for a block. */
interface IssueWaiter {
  /** The number of issuers that arrived before it. */
  readonly arrival: number
  resolve(milliseconds: number): void
  reject(error: unknown): void
}

/** The parts of a chain that show whether a transaction was accepted, waits, or was dropped. */
interface ChainAfterBlocks {
  readonly view: View
  readonly pool: Pick<WaitingTxs, "has" | "dropOf">
}

/** The issuers that wait for the blocks of their transactions. */
export class IssueWaiters {
  readonly #waiting = new Map<ID, IssueWaiter[]>()
  #arrivals = 0

  /** Resolves when `answer` is called, with this issuer's share of the milliseconds that making the blocks took. Rejects if the transaction was dropped. */
  wait(txID: ID): Promise<number> {
    return new Promise((resolve, reject) => {
      const waiter = { arrival: this.#arrivals++, resolve, reject }
      const others = this.#waiting.get(txID)
      if (others) others.push(waiter)
      else this.#waiting.set(txID, [waiter])
    })
  }

  /** The number of issuers that have arrived so far. */
  get arrivals(): number {
    return this.#arrivals
  }

  /**
   * Answers the first `arrivals` issuers: their transaction is accepted, waits in the mempool, or was dropped. Later ones are answered
   * after the next blocks. `milliseconds` is the time on the event loop that making the blocks took; the answered issuers share it evenly.
   */
  answer({ pool, view }: ChainAfterBlocks, milliseconds: number, arrivals = this.#arrivals): void {
    const all = this.#take(arrivals)
    const share = milliseconds / all.reduce((sum, [, waiters]) => sum + waiters.length, 0)
    for (const [txID, waiters] of all) {
      const isFine = pool.has(txID) || view.get(tables.txs, txID) !== undefined
      const drop = isFine ? undefined : pool.dropOf(txID)
      for (const { resolve, reject } of waiters) {
        if (isFine) resolve(share)
        else reject(drop ? withText(drop.error, drop.reason) : evicted())
      }
    }
  }

  #take(arrivals: number): (readonly [ID, readonly IssueWaiter[]])[] {
    const all = [...this.#waiting]
    this.#waiting.clear()
    return all.map(([txID, waiters]) => {
      const later = waiters.filter(({ arrival }) => arrival >= arrivals)
      if (later.length > 0) this.#waiting.set(txID, later)
      return [txID, waiters.filter(({ arrival }) => arrival < arrivals)] as const
    })
  }

  /** Rejects all issuers with this error, and returns the IDs of their transactions. */
  refuse(error: unknown): readonly ID[] {
    const all = [...this.#waiting]
    this.#waiting.clear()
    for (const { reject } of all.flatMap(([, waiters]) => waiters)) reject(error)
    return all.map(([txID]) => txID)
  }
}

const evicted = () =>
  new Invalid(
    "chain.pool_full",
    { sentence: "transactions that pay more took its place", avalanchegoMessage: "not enough gas" },
    {},
  )
