import type { NodeID } from "../types/id.js"

/** The uptime of a node as validators report it, in percent of their stake. The node itself counts as a validator that always saw it online. */
export interface ObservedUptime {
  /** The stake that saw the node online for long enough for a reward. */
  readonly rewardingStakePercentage: number
  /** The stake that saw it online for too short a time. */
  readonly refusingStakePercentage: number
  /** The average of the reported uptimes. A validator that reports none counts as zero. */
  readonly weightedAveragePercentage: number
}

/** Sums up the reports of validators about a node's uptime, in whole percent. `requirement` is the share that a reward requires, 0 to 1. */
export function observedUptime(
  ownNodeID: NodeID,
  weights: Iterable<readonly [NodeID, bigint]>,
  reportOf: (nodeID: NodeID) => number | undefined,
  requirement: number,
): ObservedUptime {
  let [rewarding, refusing, sum, total] = [0, 0, 0, 0]
  for (const [nodeID, weightOf] of weights) {
    const weight = Number(weightOf)
    total += weight
    const percent = nodeID === ownNodeID ? 100 : reportOf(nodeID)
    if (percent === undefined) continue
    sum += percent * weight
    if (percent / 100 >= requirement) rewarding += weight
    else refusing += weight
  }
  return {
    rewardingStakePercentage: (100 * rewarding) / total,
    refusingStakePercentage: (100 * refusing) / total,
    weightedAveragePercentage: sum / total,
  }
}
