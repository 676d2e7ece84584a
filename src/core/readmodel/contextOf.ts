import type { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import type { Address } from "../types/address.js"
import { utxoID } from "../types/utxo.js"
import { addressesOf, ownersOfOutput } from "./owners.js"
import type { ProjectionContext } from "./projection.js"

/** Makes the context of projections for a diff on the state before the block. */
export function contextOf(diff: Diff): ProjectionContext {
  // Several projections ask for the owners of each spent output, and name it by the same input.
  const known = new Map<object, readonly Address[]>()
  return {
    diff,
    txOwners: new Map(),
    ownersOf(spent) {
      const { txID, outputIndex } = spent
      const found = known.get(spent)
      if (found) return found
      const utxo = diff.parent.get(tables.utxos, utxoID(txID, outputIndex))
      // A missing UTXO was created in this block.
      const owners = utxo ? addressesOf(utxo) : ownersOfOutput(diff, txID, outputIndex)
      known.set(spent, owners)
      return owners
    },
  }
}
