import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { Utxo } from "../types/utxo.js"
import type { PlacedTx } from "./acceptedBlock.js"
import { listedOwners } from "./ownerGroups.js"
import { addressesOf } from "./owners.js"
import type { Projection } from "./projection.js"
import { readTables } from "./tables.js"

/** Records the rewards that were paid to an address. */
export const rewardsByAddress: Projection = {
  tables: [readTables.rewardsByAddress],

  onBlock({ diff }, { height, txs }) {
    for (const placed of txs) {
      for (const { utxo, kind } of rewardsPaidBy(placed, diff)) {
        const row = { txID: utxo.txID, outputIndex: utxo.outputIndex, kind }
        // A block rewards one staker, so the output index identifies each of its rewards.
        for (const owner of listedOwners(diff, addressesOf(utxo))) {
          diff.put(readTables.rewardsByAddress, { owner, height, index: utxo.outputIndex }, row)
        }
      }
    }
  },
}

/** Returns the rewards that a transaction paid, each with its `RewardKind`. */
export function rewardsPaidBy({ facts }: Pick<PlacedTx, "facts">, view: View): { readonly utxo: Utxo; readonly kind: number }[] {
  return facts.flatMap((fact) => {
    if (fact.kind !== "reward") return []
    const { txID, outputIndex, rewardKind: kind } = fact
    const utxo = view.get(tables.rewardUtxos, { txID, outputIndex })
    if (!utxo) throw new Error(`reward ${outputIndex} of ${txID} is missing`)
    return [{ utxo, kind }]
  })
}
