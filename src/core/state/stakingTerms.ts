import type { Diff } from "./diff.js"
import { tables } from "./tables.js"

/**
 * Records the terms of stakers that begin with the block of a height, because the state forgets the potential reward of a staker that has
 * ended. The diff is on the state before the block.
 */
export function recordTerms(diff: Diff, height: bigint): void {
  for (const { before, after } of diff.changesIn(tables.currentStakers)) {
    if (!after || before) continue
    const { txID, startTime, endTime, weight, potentialReward } = after
    diff.put(tables.stakingTerms, { height, txID }, { startTime, endTime, weight, potentialReward })
  }
}
