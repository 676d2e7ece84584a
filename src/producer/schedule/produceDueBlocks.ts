import type { Log } from "../../core/lib/log.js"
import { max } from "../../core/lib/math64.js"
import type { Pace } from "../../core/lib/pace.js"
import { nextStakerChangeTime } from "../../core/rules/chainTime.js"
import { chainTimeOf } from "../../core/rules/context.js"
import type { Tx } from "../../core/txs/tx.js"
import { bls } from "../../platform/backends.js"
import type { ChainHead, Extension } from "../chain/chainHead.js"
import type { Clock } from "../clock/clock.js"
import type { ValidatorRenewal } from "./renewal.js"

/** The number of blocks between two lines of the log. */
const BLOCKS_PER_LOG_LINE = 2048

/** Counts of the blocks that were due. */
export interface DueBlocks {
  blocks: number
  /** The stakers whose reward was paid, and those whose reward was refused. */
  rewarded: number
  aborted: number
  /** The L1 validators that became inactive. */
  deactivated: number
}

/** The parts of the chain that make due blocks. */
export interface DueBlocksContext {
  readonly head: ChainHead
  readonly clock: Clock
  readonly log: Log
  /** Undefined where the built-in validators are not renewed. */
  readonly renewal: ValidatorRenewal | undefined
  /** Called after the n-th block, to let other work run at times. */
  pause(made: number): Promise<void>
  readonly pace: Pace
}

/** Options of making due blocks. */
export interface DueBlocksOptions {
  /** True if the clock is set to the time of each block. */
  readonly movesClock: boolean
  /** True if the blocks also take waiting transactions. */
  readonly includesMempool: boolean
}

/**
 * Makes every block that is due up to a time (Unix seconds), in order, each at its own time: for rewards, for stakers that begin or leave,
 * and for L1 validators whose balance is used up.
 */
export async function produceDueBlocks(until: bigint, options: DueBlocksOptions, context: DueBlocksContext): Promise<DueBlocks> {
  const { clock } = context
  const { isFrozen } = clock
  try {
    return await produce(until, options, context)
  } finally {
    // The clock was frozen at the time of each block. It runs on from the last one, also after a failure.
    if (clock.isFrozen !== isFrozen) clock.set(clock.now(), isFrozen)
  }
}

async function produce(until: bigint, options: DueBlocksOptions, context: DueBlocksContext): Promise<DueBlocks> {
  const { head, clock, log, renewal, pace } = context
  const counts: DueBlocks = { blocks: 0, rewarded: 0, aborted: 0, deactivated: 0 }
  for (let made = 1; ; made++) {
    const change = nextStakerChangeTime(head.view, head.rules, until + 1n)
    if (change > until) break
    const time = timeOfDue(head, change)
    if (options.movesClock) clock.set(time, true)
    // The waiting transactions may not have been valid at the time of a late block.
    const isOnTime = time >= clock.now()
    const candidates = options.includesMempool && isOnTime ? head.pool : []
    const { blocks, ended, option, deactivated } = await makeDueBlock(head, change, candidates, pace)
    counts.blocks += blocks.length
    counts.deactivated += deactivated
    if (option === "commit") counts.rewarded++
    if (option === "abort") counts.aborted++
    if (ended && renewal?.isDue(head)) {
      await bls().preparePossession()
      counts.blocks += await renewal.renew(head, time, pace, ended)
    }
    if (made % BLOCKS_PER_LOG_LINE === 0) log.info("time passes", { chainTime: time, until, blocks: counts.blocks })
    await context.pause(made)
  }
  return counts
}

/** Makes the block of a change of stakers that is due (Unix seconds). */
export async function makeDueBlock(head: ChainHead, change: bigint, candidates: Iterable<Tx>, pace: Pace): Promise<Extension> {
  const time = timeOfDue(head, change)
  const extension = await head.extend(candidates, time, pace, true)
  if (extension.blocks.length === 0) throw new Error(`the stakers change at ${time}, but no block could be made`)
  return extension
}

/** A change that was due before the last block comes with the next one. */
const timeOfDue = ({ view }: ChainHead, change: bigint): bigint => max(change, chainTimeOf(view))
