import { tables } from "../../state/tables.js"
import type { ID } from "../../types/id.js"
import type { RowContext } from "../rowContext.js"
import { sqlTables } from "../tables.js"
import type { PublishedRange } from "./stakerRows.js"

/** Adds the changes of a subnet's validator set within a range of blocks. */
export function addSetChanges({ view, rows, texts }: RowContext, subnetID: ID, { first, last, timeAt }: PublishedRange): void {
  // The newest changes come first.
  for (const [{ height, nodeID }, { decrease, amount }] of view.rows(tables.weightDiffs, {
    under: { subnetID },
    from: { height: last },
  })) {
    if (height < first) return
    rows.add(sqlTables.validator_set_changes, {
      subnet_id: texts.id(subnetID),
      height,
      node_id: texts.node(nodeID),
      time: timeAt(height),
      weight_change: decrease ? -amount : amount,
    })
  }
}
