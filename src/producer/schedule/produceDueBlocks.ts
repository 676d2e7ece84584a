import { bls } from "../../core/crypto/backends.js"
import type { Log } from "../../core/lib/log.js"
import { max } from "../../core/lib/math64.js"
import { nextStakerChangeTime } from "../../core/rules/chainTime.js"
import { chainTimeOf } from "../../core/rules/run.js"
import type { ChainHead } from "../chain/chainHead.js"
import type { Timers } from "../ports.js"
import { pace } from "./pace.js"
import type { Renewal } from "./renewal.js"

/** How many blocks are made between two lines of the log. */
const PROGRESS = 2048

/** What happened on the way. */
export interface DueBlocks {
  blocks: number
  /** Stakers whose reward was paid, and those whose was refused. */
  rewarded: number
  aborted: number
  /** L1 validators that ran dry. */
  deactivated: number
}

const noTally = (): DueBlocks => ({ blocks: 0, rewarded: 0, aborted: 0, deactivated: 0 })

/** What making due blocks needs. */
export interface TravelOptions {
  readonly head: ChainHead
  readonly timers: Timers
  readonly log: Log
  /** None where they are not to be renewed. */
  readonly renewal: Renewal | undefined
}

/** How the blocks on the way are made. */
export interface DueBlocksOptions {
  /** Puts the clock to the time of each block, as if the node had been there. */
  readonly movesClock: boolean
  /** Whether the blocks take along what waits. */
  readonly carries: boolean
}

/**
 * Makes every block that falls due up to a time, in order, each at its time: rewards, stakers who begin or leave, L1 validators who
 * run dry. Several share a transaction of the store, and now and then others may work in between.
 */
export async function settle(until: bigint, way: DueBlocksOptions, options: TravelOptions): Promise<DueBlocks> {
  const { clock } = options.head
  const { isFrozen } = clock
  try {
    return await settleOn(until, way, options)
  } finally {
    // It was put to the time of each block: it runs on from the last one, also where a fault ended the journey.
    if (clock.isFrozen !== isFrozen) clock.set(clock.now(), isFrozen)
  }
}

async function settleOn(until: bigint, way: DueBlocksOptions, { head, timers, log, renewal }: TravelOptions): Promise<DueBlocks> {
  const tally = noTally()
  for (let made = 1; ; made++) {
    const change = nextStakerChangeTime(head.view, head.rules, until + 1n)
    if (change > until) break
    const time = max(change, chainTimeOf(head.view))
    if (way.movesClock) head.clock.set(time, true)
    // Made late, a block stands at a time at which what waits may not have been valid yet.
    const isOnTime = time >= head.clock.now()
    const { blocks, ended, option, deactivated } = head.extend(way.carries && isOnTime ? head.pool : [], time, true)
    if (blocks.length === 0) throw new Error(`the stakers change at ${time}, and no block does it`)
    tally.blocks += blocks.length
    tally.deactivated += deactivated
    if (option === "commit") tally.rewarded++
    if (option === "abort") tally.aborted++
    if (ended && renewal?.isDue) {
      await bls().preparePossession()
      tally.blocks += renewal.renew(time, ended)
    }
    if (made % PROGRESS === 0) log.info("time passes", { chainTime: time, until, blocks: tally.blocks })
    await pace(made, head, timers)
  }
  head.flush()
  return tally
}
