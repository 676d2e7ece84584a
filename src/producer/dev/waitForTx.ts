import { TxStatus, tables } from "../../state/tables.js"
import type { ID } from "../../types/id.js"
import type { Producer } from "../producer.js"

/** How a transaction was accepted. */
export interface AcceptedTx {
  /** It was proposed, and decided against. */
  readonly isAborted: boolean
  readonly height: bigint
}

/** Waits until a transaction is accepted or dropped, or so many seconds went by. How it was accepted, if it was. */
export async function waitForTx({ head, options, state }: Producer, txID: ID, seconds: number): Promise<AcceptedTx | undefined> {
  // As readers see it: written, and not only accepted.
  const accepted = () => state.latest.get(tables.txs, txID)
  const isDecided = () => accepted() !== undefined || head.pool.dropOf(txID) !== undefined
  if (!isDecided()) {
    await new Promise<void>((resolve) => {
      const done = () => {
        unsubscribe()
        cancel()
        resolve()
      }
      const unsubscribe = head.watch(() => isDecided() && done())
      const cancel = options.timers.after(seconds * 1000, done)
    })
  }
  const row = accepted()
  return row && { isAborted: row.status === TxStatus.aborted, height: row.height }
}
