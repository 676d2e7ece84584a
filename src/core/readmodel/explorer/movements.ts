import type { StakerInfo } from "../../rules/context.js"
import { tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import { acceptedTx, requireStaker, stakerInfoOf } from "../../txs/execute.js"
import { txTypeOf } from "../../txs/unsignedTx.js"
import type { ID } from "../../types/id.js"
import { unlockedInput } from "../../types/input.js"
import type { TransferableOutput } from "../../types/output.js"
import { type Utxo, utxoID } from "../../types/utxo.js"
import type { PlacedTx } from "../acceptedBlock.js"
import { refundOwnerOf, rewardsOfTx, stoppedBy } from "../owners.js"
import type { Moment } from "../tables.js"
import { explorerTables } from "./tables.js"

/**
 * Returns the outputs of the P-Chain that a transaction creates: its own, returned stake, rewards, and the rest of an L1 validator's
 * balance.
 */
export function* utxosCreatedBy(placed: PlacedTx, view: View): Iterable<Utxo> {
  const { id, unsignedTx: tx } = placed.tx
  // The outputs of genesis belong to no transaction.
  if (placed.height === 0n) return
  if (tx.kind === "RewardValidatorTx" || tx.kind === "RewardAutoRenewedValidatorTx") {
    if (leavesAfter(placed, view)) yield* stakeIn(tx.txID, requireStaker(view, tx.txID))
    yield* rewardsOfTx(view, placed.tx)
  }
  if (!("outputs" in tx)) return
  for (const [i, output] of tx.outputs.entries()) yield utxoOf(id, i, output)
  // The stake of a refused proposal is returned at once.
  if (!placed.isCommitted) yield* stakeIn(id, stakerInfoOf(tx))
  const refund = refundIDOf(placed.tx)
  const paidBack = refund && view.get(tables.refunds, refund)
  if (paidBack) yield paidBack
}

/** Returns the UTXO with which a transaction refunds the rest of a balance, if it disables an L1 validator. */
export function refundIDOf({ id, unsignedTx: tx }: PlacedTx["tx"]): ID | undefined {
  return "outputs" in tx && stoppedBy(tx) !== undefined ? utxoID(id, tx.outputs.length) : undefined
}

/**
 * Returns whether the staker that a transaction rewards leaves with it. An auto-renewed validator stays until it stops or loses its reward.
 */
export function leavesAfter({ tx, height, index, isCommitted }: PlacedTx, view: View): boolean {
  const { unsignedTx } = tx
  if (unsignedTx.kind !== "RewardAutoRenewedValidatorTx") return true
  return !isCommitted || periodBefore(view, unsignedTx.txID, { height, index }) === 0n
}

/** Returns the length of the next cycle of an auto-renewed validator as it was last set before a moment, seconds. */
function periodBefore(view: View, stakerTxID: ID, before: Moment): bigint | undefined {
  const { typeID } = txTypeOf("SetAutoRenewedValidatorConfigTx")
  const range = { under: { subject: stakerTxID, typeID }, from: before }
  for (const [moment] of view.rows(explorerTables.txsBySubjectKind, range)) {
    const row = view.get(explorerTables.txsBySubject, { ...moment, subject: stakerTxID })
    const tx = row && acceptedTx(view, row.txID)?.unsignedTx
    return tx?.kind === "SetAutoRenewedValidatorConfigTx" ? tx.period : undefined
  }
  return undefined
}

function stakeIn(txID: ID, staker: StakerInfo | undefined): readonly Utxo[] {
  return staker?.stake.map((output, i) => utxoOf(txID, staker.outputCount + i, output)) ?? []
}

const utxoOf = (txID: ID, outputIndex: number, { assetID, output }: TransferableOutput): Utxo => ({
  txID,
  outputIndex,
  assetID,
  output,
})

/** Returns an output of the P-Chain, spent or not; `undefined` if it never existed. */
export function outputOf(view: View, txID: ID, outputIndex: number): Utxo | undefined {
  const id = utxoID(txID, outputIndex)
  const known = view.get(tables.utxos, id) ?? view.get(explorerTables.untracedOutputs, id)
  if (known) return known
  const reward = view.get(tables.rewardUtxos, { txID, outputIndex })
  if (reward) return reward
  const tx = acceptedTx(view, txID)?.unsignedTx
  if (!tx || !("outputs" in tx)) return undefined
  const output = [...tx.outputs, ...(stakerInfoOf(tx)?.stake ?? [])][outputIndex]
  return output ? utxoOf(txID, outputIndex, output) : spentRefund(view, txID, outputIndex)
}

/** Returns the refund of an L1 validator's balance; the transaction that spent it has the amount. */
function spentRefund(view: View, txID: ID, outputIndex: number): Utxo | undefined {
  const id = utxoID(txID, outputIndex)
  const spender = view.get(explorerTables.spenders, id)
  const tx = spender && acceptedTx(view, spender.txID)?.unsignedTx
  const stopped = acceptedTx(view, txID)?.unsignedTx
  const owner = stopped && refundOwnerOf(view, stopped)
  if (!tx || !("inputs" in tx) || !owner) return undefined
  const input = tx.inputs.find((each) => each.txID === txID && each.outputIndex === outputIndex)
  if (!input) return undefined
  const { amount } = unlockedInput(input.input)
  const output = { kind: "TransferOutput" as const, amount, locktime: 0n, ...owner }
  return { txID, outputIndex, assetID: input.assetID, output }
}
