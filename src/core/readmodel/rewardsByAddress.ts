import type { StakerInfo } from "../rules/context.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { requireStaker } from "../txs/execute.js"
import type { Utxo } from "../types/utxo.js"
import type { PlacedTx } from "./acceptedBlock.js"
import { listedOwners } from "./ownerGroups.js"
import { addressesOf, rewardsOfTx } from "./owners.js"
import type { Projection } from "./projection.js"
import { RewardKind, readTables } from "./tables.js"

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
export function rewardsPaidBy(placed: PlacedTx, view: View): { readonly utxo: Utxo; readonly kind: number }[] {
  const utxos = rewardsOfTx(view, placed.tx)
  if (utxos.length === 0) return []
  const kinds = kindsOf(utxos, placed, view)
  return utxos.map((utxo, i) => ({ utxo, kind: kinds[i] as number }))
}

/** Returns the kinds of the payments that a transaction made for one staker. */
function kindsOf(utxos: readonly Utxo[], placed: PlacedTx, view: View): readonly number[] {
  const { tx, isCommitted } = placed
  if (!("txID" in tx.unsignedTx)) return []
  const { txID } = tx.unsignedTx
  const info = requireStaker(view, txID)
  if (tx.unsignedTx.kind === "RewardValidatorTx") return utxos.map((utxo, i) => kindOf(utxo, isCommitted && i === 0, info))
  if (utxos.length > 1) return [RewardKind.validation, RewardKind.delegationFee]
  return [isOwnReward(utxos[0] as Utxo, placed, info, view) ? RewardKind.validation : RewardKind.delegationFee]
}

/**
 * Returns the kind of a reward. The staker's own reward comes first, unless it was lost, and the validator's share of its delegators'
 * rewards second. If the first one was zero, the owner decides.
 */
function kindOf(utxo: Utxo, mayBeOwn: boolean, { role, rewardsOwner }: StakerInfo): number {
  if (!mayBeOwn || !isPaidTo(utxo, rewardsOwner)) return RewardKind.delegationFee
  return role === "validator" ? RewardKind.validation : RewardKind.delegation
}

/**
 * Returns whether the only payment at the end of a cycle is for validating. If one owner gets both kinds, a validator that lost its reward
 * was paid for validating only the amount that it had restaked: its weight was then above its stake.
 */
function isOwnReward(utxo: Utxo, { isCommitted, height }: PlacedTx, info: StakerInfo, view: View): boolean {
  if (!isPaidTo(utxo, info.rewardsOwner)) return false
  if (isCommitted || !isPaidTo(utxo, info.delegationRewardsOwner)) return true
  // The changes of the abort block are recorded under its own height, which is the next one.
  const left = view.get(tables.weightDiffs, { subnetID: info.subnetID, height: height + 1n, nodeID: info.nodeID })
  return (left?.amount ?? 0n) > info.weight
}

function isPaidTo(utxo: Utxo, owner: { readonly addresses: readonly string[] } | undefined): boolean {
  return addressesOf(utxo).join() === owner?.addresses.join()
}
