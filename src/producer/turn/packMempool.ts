import { invalidAmong } from "../../core/chain/builder.js"
import { min } from "../../core/lib/math64.js"
import { WorkPace } from "../../core/lib/workPace.js"
import { gasAt, gasOf, nextBlockTime, nextStakerChangeTime } from "../../core/rules/chainTime.js"
import { idText } from "../../core/types/id.js"
import type { Extension } from "../chain/chainHead.js"
import type { ChainStatus } from "../chain/chainStatus.js"
import { producerError } from "../errors.js"
import type { ChainTurn } from "./chainTurn.js"

/** Makes as many blocks of the waiting transactions as they need and gas allows, after the blocks that are due. */
export async function packMempool(chain: ChainTurn): Promise<void> {
  await chain.catchUp()
  const arrivals = chain.issuerArrivals
  const pace = new WorkPace(() => performance.now(), chain.options.timers.soon)
  let extension: Extension
  do extension = await chain.extend(chain.status.pool, pace)
  while (
    movedUntilGas(chain, extension) ||
    (extension.blocks.length > 0 && extension.gasReadyInSeconds === undefined && chain.status.pool.size > 0)
  )
  if (extension.isShortOfGas && chain.isFrozen) dropWithoutGas(chain)
  if (pace.isDue) await pace.pause()
  chain.answerIssuers({ pace, arrivals })
}

/** Drops the waiting transactions that a block made now could not include. */
export async function dropInvalid(chain: ChainTurn): Promise<void> {
  const context = chain.status.contextAt(chain.now())
  for (const { tx, error } of await invalidAmong(chain.status.pool, context, chain.pace)) chain.drop(tx, error)
}

/**
 * Moves the clock of a chain in block mode `auto` to the second in which there is gas again, but never past the next change of stakers.
 * Clients may pay faster than gas accumulates, and they refuse to build a transaction that exceeds it. Returns whether the clock moved for
 * waiting transactions.
 */
function movedUntilGas(chain: ChainTurn, { blocks, gasReadyInSeconds, isShortOfGas }: Extension): boolean {
  if (chain.blockMode.mode !== "auto" || chain.isFrozen || (blocks.length === 0 && !isShortOfGas)) return false
  const now = chain.now()
  const seconds = isShortOfGas ? (gasReadyInSeconds ?? 0n) : secondsUntilGas(chain.status, now)
  const until = nextStakerChangeTime(chain.status.view, chain.status.rules, now + seconds)
  if (until <= now) return false
  chain.moveClock(until, false)
  chain.log.info("clock moved until gas is back", { seconds: until - now })
  return isShortOfGas
}

/** Drops transactions that wait for gas while the clock is frozen, because gas never accumulates. */
function dropWithoutGas(chain: ChainTurn): void {
  for (const tx of [...chain.status.pool]) chain.drop(tx, producerError("producer.frozen_without_gas", { txID: idText(tx.id) }))
}

/**
 * Returns the seconds until a block could use the gas of one second; 0 if it can now. The gas of a second is enough for any ordinary
 * transaction, so a client that reads the fee state after each payment can always build the next one.
 */
function secondsUntilGas({ view, rules }: Pick<ChainStatus, "view" | "rules">, now: bigint): bigint {
  const { maxCapacity, maxPerSecond } = rules.params.dynamicFee
  const wanted = min(maxPerSecond, maxCapacity)
  // The gas only grows until the next block.
  if (maxPerSecond === 0n || gasOf(view).capacity >= wanted) return 0n
  const { capacity } = gasAt(view, rules, nextBlockTime(view, rules, now).time)
  const missing = wanted - capacity
  return missing <= 0n ? 0n : (missing + maxPerSecond - 1n) / maxPerSecond
}
