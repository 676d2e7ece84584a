import { finish } from "../../core/lib/work.js"
import type { Tx } from "../../core/txs/tx.js"
import { idText } from "../../core/types/id.js"
import { admit } from "../chain/issue.js"
import { producerError } from "../errors.js"
import type { Producer } from "../producer.js"

/**
 * Puts a transaction of our own into a block at once, by itself. Where there is not enough gas it waits with the others, or is refused if
 * the clock stands still. Throws what it was refused for. In a turn.
 */
export async function putIntoBlock(producer: Producer, tx: Tx): Promise<void> {
  const { head, clock } = producer
  const { packed, dropped, isShortOfGas } = producer.extend([tx], producer.now())
  if (dropped[0]) throw dropped[0].error
  if (isShortOfGas && clock.isFrozen) throw producerError("producer.frozen_without_gas", { txID: idText(tx.id) })
  if (packed.length === 0) await finish(admit(head, tx))
  head.flush()
  producer.schedule.arm()
}
