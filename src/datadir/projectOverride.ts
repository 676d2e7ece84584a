import { projectUntraced } from "../core/readmodel/explorer/projectExplorer.js"
import { listedOwners } from "../core/readmodel/ownerGroups.js"
import { addressesOf } from "../core/readmodel/owners.js"
import { rebuildLastSegment } from "../core/readmodel/validatorSets/setSegments.js"
import type { Diff } from "../core/state/diff.js"
import type { Override } from "../producer/tables.js"

/** Adds the read model's rows of an override of a private chain. */
export function projectOverride(changes: Diff, override: Override): void {
  if (override.kind === "utxo") {
    listedOwners(changes, addressesOf(override.utxo))
    projectUntraced(changes, override.utxo)
  }
  if (override.kind === "validatorKey") rebuildLastSegment(changes, override.subnetID)
}
