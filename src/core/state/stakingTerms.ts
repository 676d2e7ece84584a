import type { Diff } from "./diff.js"
import { isValidator, type Staker } from "./staker.js"
import { type Restaked, tables } from "./tables.js"
import type { View } from "./view.js"

/**
 * Records the terms of stakers that begin with the block of a height, because the state forgets the potential reward of a staker that has
 * ended. The diff is on the state before the block.
 */
export function recordTerms(diff: Diff, height: bigint): void {
  for (const { before, after } of diff.changesIn(tables.currentStakers)) {
    if (!after || before) continue
    const { txID, startTime, endTime, weight, potentialReward } = after
    diff.put(
      tables.stakingTerms,
      { height, txID },
      { startTime, endTime, weight, potentialReward, restaked: restakedOf(diff, after) },
    )
  }
}

/** Returns what an auto-renewed validator has restaked so far; undefined for other stakers. */
export function restakedOf(view: View, staker: Staker): Restaked | undefined {
  const renewal = isValidator(staker.priority) ? view.get(tables.renewals, staker) : undefined
  return renewal && { validation: renewal.accruedValidationRewards, delegatee: renewal.accruedDelegateeRewards }
}
