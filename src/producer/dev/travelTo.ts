import { max } from "../../core/lib/math64.js"
import { chainTimeOf } from "../../core/rules/context.js"
import type { Tx } from "../../core/txs/tx.js"
import type { MoveStop } from "../chainHosting.js"
import { checkTime } from "../clock/clock.js"
import { producerError } from "../errors.js"
import type { DueBlocks } from "../schedule/produceDueBlocks.js"
import type { ChainTurn } from "../turn/chainTurn.js"
import { packMempool } from "../turn/packMempool.js"
import { putIntoBlock } from "./putIntoBlock.js"

/** The target of a time travel: a time in Unix seconds, or a number of seconds. */
export type TimeOptions = ({ readonly to: bigint } | { readonly by: bigint }) & {
  /** True if the clock is frozen afterwards; unchanged by default. */
  readonly isFrozen?: boolean | undefined
  /** True if the clock may move by more than 100 years. */
  readonly force?: boolean | undefined
  /** True if a small payment brings the chain's time to the target if no block does. */
  readonly settle?: boolean | undefined
  /** A stop on the way for the chains that the node hosts. */
  readonly stop?: MoveStop | undefined
}

/** The result of a time travel. Times in Unix seconds. */
export interface TimeTravelResult extends Readonly<DueBlocks> {
  readonly clock: bigint
  readonly chainTime: bigint
  readonly height: bigint
}

/**
 * Moves the clock forward, makes every block that is due on the way, and forgets why transactions were dropped. Throws `producer.time_*`,
 * and `producer.insufficient_funds` if `settle` cannot be paid for; then nothing has changed.
 */
export async function travelTo(chain: ChainTurn, options: TimeOptions): Promise<TimeTravelResult> {
  const { status } = chain
  const { isFrozen = chain.isFrozen, settle = false } = options
  const to = requireAhead(chain, options)
  // This throws if there are no funds, because they would not suffice later either.
  if (settle) fillerOf(chain)
  chain.forgetDrops()
  const { height: before } = status.lastAccepted
  const counts = await passTime(chain, to, options.stop)
  chain.moveClock(to, isFrozen)
  if (chain.blockMode.mode === "auto") await packMempool(chain)
  if (settle && chainTimeOf(status.view) < to) await putIntoBlock(chain, fillerOf(chain))
  const { height } = status.lastAccepted
  return { ...counts, clock: chain.now(), chainTime: chainTimeOf(status.view), height, blocks: Number(height - before) }
}

/** Makes the blocks that are due on the way, those of hosted chains too. */
async function passTime(chain: ChainTurn, to: bigint, stop: MoveStop | undefined): Promise<DueBlocks> {
  const due = (until: bigint) =>
    chain.produceDueBlocks(until, { movesClock: true, includesMempool: chain.blockMode.mode !== "manual" })
  const stopAt = stop ? earliestOf(chain) + stop.seconds : to
  if (!stop || stopAt >= to) return due(to)
  const before = await due(stopAt)
  chain.moveClock(stopAt)
  chain.written()
  await stop.makeBlocks()
  const after = await due(to)
  return {
    blocks: before.blocks + after.blocks,
    rewarded: before.rewarded + after.rewarded,
    aborted: before.aborted + after.aborted,
    deactivated: before.deactivated + after.deactivated,
  }
}

/** Returns the earliest time to which the clock may be set. */
const earliestOf = (chain: ChainTurn): bigint => max(chain.now(), chainTimeOf(chain.status.view))

/** 100 years, in seconds. More takes minutes, and in most cases milliseconds were given by mistake. */
const LONG_SPAN = 3_155_760_000n

function requireAhead(chain: ChainTurn, options: TimeOptions): bigint {
  const earliest = earliestOf(chain)
  const to = "to" in options ? options.to : earliest + options.by
  if (to < earliest) throw producerError("producer.time_in_the_past", { to, earliest })
  checkTime(to)
  if (to - earliest > LONG_SPAN && !options.force)
    throw producerError("producer.time_span_too_long", { seconds: to - earliest, limit: LONG_SPAN })
  return to
}

function fillerOf(chain: ChainTurn): Tx {
  const now = chain.now()
  return chain.treasury.filler(chain.treasury.purse(chain.written(), now), now)
}
