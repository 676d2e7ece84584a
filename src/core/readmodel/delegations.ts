import type { Diff } from "../state/diff.js"
import type { ValidatorKey } from "../state/staker.js"
import { tables } from "../state/tables.js"
import { follow, type Projection } from "./projection.js"
import { readTables } from "./tables.js"

/** Counts the delegators of each validator and sums their weights, so that no query iterates over all of them. */
export const delegations: Projection = {
  tables: [readTables.delegations],
  follows: [
    follow(tables.currentDelegators, (diff, key, before, after) => {
      if (before) add(diff, key, -1n, -before.weight)
      if (after) add(diff, key, 1n, after.weight)
    }),
  ],
}

function add(diff: Diff, { subnetID, nodeID }: ValidatorKey, count: bigint, weight: bigint): void {
  const key = { subnetID, nodeID }
  const before = diff.get(readTables.delegations, key) ?? { count: 0n, weight: 0n }
  const after = { count: before.count + count, weight: before.weight + weight }
  if (after.count === 0n) diff.delete(readTables.delegations, key)
  else diff.put(readTables.delegations, key, after)
}
