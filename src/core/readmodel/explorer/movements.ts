import type { StakerInfo } from "../../rules/context.js"
import { DepartureReason } from "../../state/facts.js"
import type { View } from "../../state/view.js"
import { requireStaker, stakerInfoOf } from "../../txs/execute.js"
import type { ID } from "../../types/id.js"
import type { TransferableOutput } from "../../types/output.js"
import type { Utxo } from "../../types/utxo.js"
import type { PlacedTx } from "../acceptedBlock.js"
import { rewardsPaidBy } from "../rewardsByAddress.js"

/** An output of the P-Chain that a transaction creates: its own, returned stake, a reward, or the rest of an L1 validator's balance. */
export interface CreatedOutput {
  readonly utxo: Utxo
  readonly role: "payment" | "returned" | "reward" | "refund"
}

/** Returns the outputs of the P-Chain that a transaction creates. */
export function* outputsCreatedBy(placed: Omit<PlacedTx, "index">, view: View): Iterable<CreatedOutput> {
  const { id, unsignedTx: tx } = placed.tx
  // The outputs of genesis belong to no transaction.
  if (placed.height === 0n) return
  for (const fact of placed.facts) {
    const isDue = fact.kind === "departure" && fact.reason <= DepartureReason.unrewarded
    if (isDue) yield* stakeIn(fact.stakerID, requireStaker(view, fact.stakerID))
  }
  for (const { utxo } of rewardsPaidBy(placed, view)) yield { utxo, role: "reward" }
  if (!("outputs" in tx)) return
  for (const [i, output] of tx.outputs.entries()) yield { utxo: utxoOf(id, i, output), role: "payment" }
  // The stake of a refused proposal is returned at once.
  if (!placed.isCommitted) yield* stakeIn(id, stakerInfoOf(tx))
  for (const fact of placed.facts) if (fact.kind === "refund") yield { utxo: fact.utxo, role: "refund" }
}

function stakeIn(txID: ID, staker: StakerInfo | undefined): readonly CreatedOutput[] {
  return staker?.stake.map((output, i) => ({ utxo: utxoOf(txID, staker.outputCount + i, output), role: "returned" })) ?? []
}

const utxoOf = (txID: ID, outputIndex: number, { assetID, output }: TransferableOutput): Utxo => ({
  txID,
  outputIndex,
  assetID,
  output,
})
