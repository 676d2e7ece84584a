import { min } from "../../core/lib/math64.js"
import { gasOf } from "../../core/rules/chainTime.js"
import type { ChainStatus } from "./chainStatus.js"

/**
 * Returns the seconds until a block could use the gas of one second; 0 if it can now. The gas of a second is enough for any ordinary
 * transaction, so a client that reads the fee state after each payment can always build the next one.
 */
export function secondsUntilGas(chain: ChainStatus, now: bigint): bigint {
  const { maxCapacity, maxPerSecond } = chain.rules.params.dynamicFee
  if (maxPerSecond === 0n) return 0n
  const { capacity } = gasOf(chain.scratchAt(now))
  const missing = min(maxPerSecond, maxCapacity) - capacity
  return missing <= 0n ? 0n : (missing + maxPerSecond - 1n) / maxPerSecond
}
