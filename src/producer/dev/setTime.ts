import { max } from "../../core/lib/math64.js"
import { chainTimeOf } from "../../core/rules/run.js"
import type { Tx } from "../../core/txs/tx.js"
import { checkTime } from "../clock/clock.js"
import { producerError } from "../errors.js"
import type { Producer } from "../producer.js"
import type { DueBlocks } from "../schedule/produceDueBlocks.js"
import { putIntoBlock } from "./ownTx.js"

/** How the clock is set: to a time in Unix seconds, or forward by so many seconds. */
export type TimeOptions = ({ readonly to: bigint } | { readonly by: bigint }) & {
  /** Whether it stands still from then on. Left out: as it was. */
  readonly isFrozen?: boolean | undefined
  /** Whether the chain's time is brought along by a small payment where no block falls due. */
  readonly settle?: boolean | undefined
}

/** Where time went, and what happened on the way. Times in Unix seconds. */
export interface TimeTravelResult extends Readonly<DueBlocks> {
  readonly clock: bigint
  readonly chainTime: bigint
  readonly height: bigint
}

/**
 * Moves the clock forward, and makes every block that falls due on the way. Why transactions were dropped is forgotten. Throws
 * `producer.time_*`, and `producer.insufficient_funds` where there is nothing to settle with; then nothing has moved. In a turn.
 */
export async function setTime(producer: Producer, options: TimeOptions): Promise<TimeTravelResult> {
  const { head, clock, schedule } = producer
  const { isFrozen = clock.isFrozen, settle = false } = options
  const to = requireAhead(producer, options)
  // What a payment then would take, one now would too.
  if (settle) fillerOf(producer)
  head.replacePool(head.pool)
  const { height: before } = head.chain.lastAccepted
  const tally = await producer.settle(to, { movesClock: true, carries: !producer.isManual })
  clock.set(to, isFrozen)
  producer.keepClock()
  if (schedule.mode.mode === "auto") await producer.pack()
  if (settle && chainTimeOf(head.view) < to) await putIntoBlock(producer, fillerOf(producer))
  schedule.arm()
  const { height } = head.chain.lastAccepted
  return { ...tally, clock: to, chainTime: chainTimeOf(head.view), height, blocks: Number(height - before) }
}

function requireAhead({ clock, head }: Producer, options: TimeOptions): bigint {
  const earliest = max(clock.now(), chainTimeOf(head.view))
  const to = "to" in options ? options.to : earliest + options.by
  if (to < earliest) throw producerError("producer.time_in_the_past", { to, earliest })
  checkTime(to)
  return to
}

function fillerOf({ treasury, clock }: Producer): Tx {
  const now = clock.now()
  return treasury.filler(treasury.purse(now), now)
}
