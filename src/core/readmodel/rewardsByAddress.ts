import type { StakerInfo } from "../rules/run.js"
import { tables } from "../state/tables.js"
import { acceptedTx, stakerInfoOf } from "../txs/execute.js"
import type { Utxo } from "../types/utxo.js"
import { addressesOf } from "./owners.js"
import type { Projection } from "./projection.js"
import { RewardKind, readTables } from "./tables.js"

/** The rewards that were paid to an address. */
export const rewardsByAddress: Projection = {
  name: "rewardsByAddress",
  tables: [readTables.rewardsByAddress],

  tell({ diff }, { height, txs }) {
    for (const { tx, isCommitted } of txs) {
      if (tx.unsignedTx.kind !== "RewardValidatorTx") continue
      const { txID } = tx.unsignedTx
      const rewards = [...diff.rows(tables.rewardUtxos, { prefix: txID })].map(([, utxo]) => utxo)
      if (rewards.length === 0) continue
      const staker = acceptedTx(diff, txID)
      const info = staker && stakerInfoOf(staker.unsignedTx)
      if (!info) throw new Error(`the transaction of staker ${txID} is missing`)
      for (const [i, utxo] of rewards.entries()) {
        const row = { txID, outputIndex: utxo.outputIndex, kind: kindOf(utxo, isCommitted && i === 0, info) }
        // A block rewards one staker, so the output's number tells its rewards apart.
        for (const address of addressesOf(utxo)) {
          diff.put(readTables.rewardsByAddress, { address, height, index: utxo.outputIndex }, row)
        }
      }
    }
  },
}

/**
 * What a reward was for. A staker's own comes first, unless it was lost, and what delegations earned a validator second; where
 * the first was nothing, the owner tells.
 */
function kindOf(utxo: Utxo, mayBeOwn: boolean, { role, rewardsOwner }: StakerInfo): number {
  if (!mayBeOwn || !isPaidTo(utxo, rewardsOwner?.addresses ?? [])) return RewardKind.delegationFee
  return role === "validator" ? RewardKind.validation : RewardKind.delegation
}

function isPaidTo(utxo: Utxo, addresses: readonly string[]): boolean {
  return addressesOf(utxo).join() === addresses.join()
}
