import { projectUntraced } from "../core/readmodel/explorer/projectExplorer.js"
import { explorerTables } from "../core/readmodel/explorer/tables.js"
import { rebuildLastSegment } from "../core/readmodel/validatorSets/setSegments.js"
import type { Diff } from "../core/state/diff.js"
import { utxoID } from "../core/types/utxo.js"
import type { Override } from "../producer/tables.js"

/** Adds the rows of an override that a read server has in memory. The others are in the database. */
export function projectCurrentOverride(changes: Diff, override: Override): void {
  if (override.kind !== "utxo") return
  const { utxo } = override
  changes.put(explorerTables.untracedOutputs, utxoID(utxo.txID, utxo.outputIndex), utxo)
}

/** Adds the read model's rows of an override of a private chain. */
export function projectOverride(changes: Diff, override: Override): void {
  if (override.kind === "utxo") projectUntraced(changes, override.utxo)
  if (override.kind === "validatorKey") rebuildLastSegment(changes, override.subnetID)
}
