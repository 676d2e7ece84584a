import type { Diff } from "../../state/diff.js"
import { subnetsWithChanges } from "../../state/setChanges.js"
import { tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import type { Projection, ProjectionStep } from "../projection.js"
import { explorerTables } from "./tables.js"

/** The changes of a node's weight in a subnet, newest first: the state lists them by height only. */
export const weightHistory: Projection = {
  name: "weightHistory",
  tables: [explorerTables.weightHistory],

  onBlock({ diff, changes }) {
    for (const [text, { value }] of changes?.editsOf(tables.weightDiffs) ?? []) {
      if (value === undefined) continue
      const { subnetID, nodeID, height } = tables.weightDiffs.key.fromText(text)
      diff.put(explorerTables.weightHistory, { subnetID, nodeID, height }, value as { decrease: boolean; amount: bigint })
    }
  },
}

/** Adds the changes of weight above a height (all of them by default). */
export function* weightHistorySteps(view: View, above: bigint | undefined): Iterable<ProjectionStep> {
  for (const subnetID of subnetsWithChanges(view)) yield* stepsOf(view, subnetID, above)
}

function* stepsOf(view: View, subnetID: ID, above: bigint | undefined): Iterable<ProjectionStep> {
  for (const [{ height, nodeID }, row] of view.rows(tables.weightDiffs, { under: { subnetID } })) {
    if (above !== undefined && height <= above) return
    yield (diff: Diff) => diff.put(explorerTables.weightHistory, { subnetID, nodeID, height }, row)
  }
}
