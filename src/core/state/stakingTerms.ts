import { Diff } from "./diff.js"
import type { Staker } from "./staker.js"
import { heightOf, tables } from "./tables.js"
import type { Edits, View } from "./view.js"

/**
 * Records the terms of stakers that begin with the block of a height, because the state forgets the potential reward of a staker that has
 * ended. The diff is on the state before the block.
 */
export function recordTerms(diff: Diff, height: bigint): void {
  const { currentStakers } = tables
  for (const text of [...diff.editsOf(currentStakers).keys()]) {
    const key = currentStakers.key.fromText(text)
    const staker = diff.get(currentStakers, key)
    if (staker && !diff.parent.get(currentStakers, key)) recordTerm(diff, height, staker)
  }
}

/** Returns the present terms of all stakers if a state has no record, because an older version made it. It then begins with the last block. */
export function missingTerms(view: View): Edits {
  const diff = new Diff(view)
  if (view.first(tables.stakingTerms) === undefined) {
    for (const [, staker] of view.rows(tables.currentStakers)) recordTerm(diff, heightOf(view), staker)
  }
  return diff.edits
}

function recordTerm(diff: Diff, height: bigint, { txID, startTime, endTime, weight, potentialReward }: Staker): void {
  diff.put(tables.stakingTerms, { height, txID }, { startTime, endTime, weight, potentialReward })
}
