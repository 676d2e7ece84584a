import type { Tx } from "../../core/txs/tx.js"
import { admit } from "../head/issue.js"
import type { Producer } from "../producer.js"

/**
 * Puts a transaction of our own into a block at once, by itself. Where there is not enough gas it waits with the others.
 * Throws what it was refused for. In a turn.
 */
export function putIntoBlock(producer: Producer, tx: Tx): void {
  const { head } = producer
  const { packed, dropped } = producer.extend([tx], producer.now())
  if (dropped[0]) throw dropped[0].error
  if (packed.length === 0) admit(head, tx)
  head.flush()
  producer.schedule.arm()
}
