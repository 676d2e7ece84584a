import type { Producer } from "../producer.js"
import { pace } from "../schedule/pace.js"

/** How many blocks are wanted, and whether small payments fill those that would be empty. */
export interface MineOptions {
  readonly blocks: number
  readonly filler: boolean
}

/** What came of it. */
export interface MineResult {
  readonly height: bigint
  readonly blocks: number
}

/**
 * Makes blocks of what waits; where nothing does, none, or with `filler` a small payment in each. Stops where gas runs out. What fell
 * due before is done first and not counted. In a turn.
 */
export async function mine(producer: Producer, { blocks, filler }: MineOptions): Promise<MineResult> {
  await producer.settleNow()
  const { head, treasury, options, waiters, schedule } = producer
  const { height: before } = head.chain.lastAccepted
  const made = () => Number(head.chain.lastAccepted.height - before)
  const purse = filler ? treasury.purse(producer.now()) : undefined
  const isExtended = (): boolean => {
    const now = producer.now()
    if (head.pool.size > 0 && producer.extend(head.pool, now).blocks.length > 0) return true
    return purse !== undefined && producer.extend([treasury.filler(purse, now)], now).blocks.length > 0
  }
  try {
    while (made() < blocks && isExtended()) await pace(made(), head, options.timers)
  } finally {
    // Blocks were accepted, whatever came then.
    head.flush()
    waiters.answer(head)
    schedule.arm()
  }
  return { height: head.chain.lastAccepted.height, blocks: made() }
}
