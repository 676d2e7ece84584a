import { isActive } from "../../core/networks/upgrades.js"
import type { Rules } from "../../core/rules/context.js"

/** From when to when someone stakes, Unix seconds. */
export interface Period {
  readonly start: bigint
  readonly end: bigint
}

/** The staking period of a transaction that goes into a block of this time: from Durango it begins at once, before that it must lie ahead. */
export function periodFrom(time: bigint, duration: bigint, { upgrades }: Rules): Period {
  const start = isActive(upgrades, "durango", time) ? time : time + 1n
  return { start, end: start + duration }
}
