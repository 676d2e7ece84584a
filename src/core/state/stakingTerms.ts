import type { Diff } from "./diff.js"
import { tables } from "./tables.js"

/**
 * Records the terms of stakers that begin with the block of a height, because the state forgets the potential reward of a staker that has
 * ended. The diff is on the state before the block.
 */
export function recordTerms(diff: Diff, height: bigint): void {
  const { currentStakers } = tables
  for (const text of [...diff.editsOf(currentStakers).keys()]) {
    const key = currentStakers.key.fromText(text)
    const staker = diff.get(currentStakers, key)
    if (!staker || diff.parent.get(currentStakers, key)) continue
    const { txID, startTime, endTime, weight, potentialReward } = staker
    diff.put(tables.stakingTerms, { height, txID }, { startTime, endTime, weight, potentialReward })
  }
}
