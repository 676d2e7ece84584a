import { openWarpMessage } from "../rules/warp.js"
import { tables } from "../state/tables.js"
import { type View, valuesOf } from "../state/view.js"
import { acceptedTx, stakerInfoOf } from "../txs/execute.js"
import type { Tx } from "../txs/tx.js"
import type { UnsignedTx } from "../txs/unsignedTx.js"
import type { Address } from "../types/address.js"
import type { ID } from "../types/id.js"
import { innerOutput, type TransferableOutput } from "../types/output.js"
import type { PChainOwner } from "../types/owners.js"
import type { Utxo } from "../types/utxo.js"
import { createdL1Validator } from "./creations.js"

const NO_ADDRESSES: readonly Address[] = []

/**
 * Returns the owners of an output of an accepted transaction, spent or not, from the tables that are never pruned: transactions and
 * rewards. It does not know outputs without a transaction, which are those of genesis and of overrides.
 */
export function ownersOfOutput(view: View, txID: ID, outputIndex: number): readonly Address[] {
  const tx = acceptedTx(view, txID)?.unsignedTx
  if (tx?.kind === "RewardAutoRenewedValidatorTx") return rewardOwners(view, txID, outputIndex)
  if (!tx || !("outputs" in tx)) return NO_ADDRESSES
  const ordinary = tx.outputs[outputIndex]
  if (ordinary) return addressesOf(ordinary)
  const stake = stakerInfoOf(tx)?.stake ?? []
  const staked = stake[outputIndex - tx.outputs.length]
  if (staked) return addressesOf(staked)
  if (stake.length > 0) return rewardOwners(view, txID, outputIndex)
  return refundOwnersOf(view, tx)
}

export const addressesOf = ({ output }: Pick<TransferableOutput, "output">): readonly Address[] => innerOutput(output).addresses

/** Returns the rewards that a transaction paid. They are listed under the staker, those of a cycle under the transaction that ended it. */
export function rewardsOfTx(view: View, { id, unsignedTx: tx }: Tx): readonly Utxo[] {
  if (tx.kind !== "RewardValidatorTx" && tx.kind !== "RewardAutoRenewedValidatorTx") return []
  const txID = tx.kind === "RewardValidatorTx" ? tx.txID : id
  return [...valuesOf(view.rows(tables.rewardUtxos, { under: { txID } }))]
}

function rewardOwners(view: View, txID: ID, outputIndex: number): readonly Address[] {
  const utxo = view.get(tables.rewardUtxos, { txID, outputIndex })
  return utxo ? addressesOf(utxo) : NO_ADDRESSES
}

/** Returns the owners of the remaining balance of an L1 validator, if the transaction disables or removes one. */
export function refundOwnersOf(view: View, tx: UnsignedTx): readonly Address[] {
  return refundOwnerOf(view, tx)?.addresses ?? NO_ADDRESSES
}

/** Returns the owners and their threshold. */
export function refundOwnerOf(view: View, tx: UnsignedTx): PChainOwner | undefined {
  const validationID = stoppedBy(tx)
  return validationID && createdL1Validator(view, validationID)?.remainingBalanceOwner
}

/** Returns the L1 validator that a transaction disables or removes. */
export function stoppedBy(tx: UnsignedTx): ID | undefined {
  if (tx.kind === "DisableL1ValidatorTx") return tx.validationID
  if (tx.kind !== "SetL1ValidatorWeightTx") return undefined
  const { validationID, weight } = openWarpMessage(tx.message, "L1ValidatorWeight").message
  return weight === 0n ? validationID : undefined
}
