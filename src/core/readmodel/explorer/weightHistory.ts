import { subnetsWithChanges } from "../../state/setChanges.js"
import { tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import { type BlockProjection, followNewValues, type ProjectionStep } from "../projection.js"
import { explorerTables } from "./tables.js"

/** The changes of a node's weight in a subnet, newest first: the state lists them by height only. */
export const weightHistory: BlockProjection = {
  follows: [
    followNewValues(tables.weightDiffs, (diff, row, { subnetID, nodeID, height }) =>
      diff.put(explorerTables.weightHistory, { subnetID, nodeID, height }, row),
    ),
  ],
}

/** Adds the changes of weight above a height (all of them by default). */
export function* weightHistorySteps(view: View, above = -1n): Iterable<ProjectionStep> {
  for (const subnetID of subnetsWithChanges(view)) {
    for (const [{ height, nodeID }, row] of view.rows(tables.weightDiffs, { under: { subnetID } })) {
      if (height <= above) break
      yield (diff) => diff.put(explorerTables.weightHistory, { subnetID, nodeID, height }, row)
    }
  }
}
