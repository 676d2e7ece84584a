import type { ChainHead } from "../chain/chainHead.js"
import { producerError } from "../errors.js"
import type { Timers } from "../ports.js"

/** How many blocks share a transaction of the store. Larger groups cost more to look through than they save. */
const GROUP = 32

/** How many blocks are made before others may work: milliseconds, or half a second where each renews validators. */
const BREATH = 8

/**
 * Between two blocks of many, after the n-th: now and then what was accepted is written, and others may work. Throws
 * `producer.stopped` where the node is about to stop.
 */
export async function pace(made: number, head: ChainHead, timers: Timers): Promise<void> {
  if (head.isInterrupted) throw producerError("producer.stopped")
  if (made % GROUP === 0) head.flush()
  if (made % BREATH === 0) await new Promise<void>((resolve) => timers.soon(resolve))
}
