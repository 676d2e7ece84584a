import type { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import type { Address } from "../types/address.js"
import { utxoID } from "../types/utxo.js"
import { addressesOf, ownersOfOutput } from "./owners.js"
import type { ProjectionContext } from "./projection.js"

/** Makes the context of projections for a diff on the state before the block. */
export function contextOf(diff: Diff): ProjectionContext {
  // Several projections ask for the owners of each spent output.
  const known = new Map<string, readonly Address[]>()
  return {
    diff,
    txOwners: new Map(),
    ownersOf({ txID, outputIndex }) {
      const name = `${txID}${outputIndex}`
      const found = known.get(name)
      if (found) return found
      const utxo = diff.parent.get(tables.utxos, utxoID(txID, outputIndex))
      // A missing UTXO was created in this block.
      const owners = utxo ? addressesOf(utxo) : ownersOfOutput(diff, txID, outputIndex)
      known.set(name, owners)
      return owners
    },
  }
}
