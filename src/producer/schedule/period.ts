import { isActive } from "../../core/networks/upgrades.js"
import type { Rules } from "../../core/rules/context.js"

/** A staking period, Unix seconds. */
export interface Period {
  readonly start: bigint
  readonly end: bigint
}

/**
 * Returns the staking period of a transaction in a block of this time. From Durango it begins at once; before that it must be in the
 * future.
 */
export function periodFrom(time: bigint, duration: bigint, { upgrades }: Rules): Period {
  const start = isActive(upgrades, "durango", time) ? time : time + 1n
  return { start, end: start + duration }
}
