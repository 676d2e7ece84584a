import { min } from "../../core/lib/math64.js"
import { gasAt, gasOf, nextBlockTime } from "../../core/rules/chainTime.js"
import type { ChainStatus } from "./chainStatus.js"

/**
 * Returns the seconds until a block could use the gas of one second; 0 if it can now. The gas of a second is enough for any ordinary
 * transaction, so a client that reads the fee state after each payment can always build the next one.
 */
export function secondsUntilGas({ view, rules }: Pick<ChainStatus, "view" | "rules">, now: bigint): bigint {
  const { maxCapacity, maxPerSecond } = rules.params.dynamicFee
  const wanted = min(maxPerSecond, maxCapacity)
  // The gas only grows until the next block.
  if (maxPerSecond === 0n || gasOf(view).capacity >= wanted) return 0n
  const { capacity } = gasAt(view, rules, nextBlockTime(view, rules, now).time)
  const missing = wanted - capacity
  return missing <= 0n ? 0n : (missing + maxPerSecond - 1n) / maxPerSecond
}
