import type { View } from "../../core/state/view.js"
import { currentOverrides, overridesOf } from "./overrides.js"

/** The number of overrides in force, by their kind. */
export interface OverrideCounts {
  /** UTXOs that no transaction created. */
  readonly utxos: number
  /** UTXOs that wait to be imported, and that no other chain exported. */
  readonly imports: number
  readonly impersonatedOwners: number
  readonly uptimes: number
  readonly validatorKeys: number
}

/** Counts the overrides in force. Something that was overridden twice counts once. */
export function overrideCounts(view: View): OverrideCounts {
  const { impersonated, uptimes } = currentOverrides(view)
  let [utxos, imports] = [0, 0]
  const validators = new Set<string>()
  for (const { override } of overridesOf(view)) {
    if (override.kind === "utxo") utxos++
    if (override.kind === "atomicUtxo") imports++
    if (override.kind === "validatorKey") validators.add(`${override.subnetID} ${override.nodeID}`)
  }
  return { utxos, imports, impersonatedOwners: impersonated.size, uptimes: uptimes.size, validatorKeys: validators.size }
}
