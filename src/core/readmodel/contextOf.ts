import type { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import { utxoID } from "../types/utxo.js"
import { addressesOf, ownersOfOutput } from "./owners.js"
import type { ProjectionContext } from "./projection.js"

/** Makes the context of projections for a diff on the state before the block. */
export function contextOf(diff: Diff): ProjectionContext {
  return {
    diff,
    ownersOf({ txID, outputIndex }) {
      const utxo = diff.parent.get(tables.utxos, utxoID(txID, outputIndex))
      // A missing UTXO was created in this block.
      return utxo ? addressesOf(utxo) : ownersOfOutput(diff, txID, outputIndex)
    },
  }
}
