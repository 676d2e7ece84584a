import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { acceptedTx, stakerInfoOf } from "../txs/execute.js"
import type { Address } from "../types/address.js"
import type { ID } from "../types/id.js"
import { innerOutput, type TransferableOutput } from "../types/output.js"
import { type Utxo, utxoID } from "../types/utxo.js"
import { factsAt } from "./acceptedBlock.js"

export const addressesOf = ({ output }: Pick<TransferableOutput, "output">): readonly Address[] => innerOutput(output).addresses

/** Returns the owners of an output of the P-Chain, spent or not. */
export function ownersOfOutput(view: View, { txID, outputIndex }: Pick<Utxo, "txID" | "outputIndex">): readonly Address[] {
  const utxo = outputOf(view, txID, outputIndex)
  return utxo ? addressesOf(utxo) : []
}

/**
 * Returns the owners of an output that a block spends. The state before the block has it, unless the block created it itself, or is processed
 * later: the rows then lead to it.
 */
export function ownersOfSpent(before: View, rows: View, spent: Pick<Utxo, "txID" | "outputIndex">): readonly Address[] {
  const utxo = before.get(tables.utxos, utxoID(spent.txID, spent.outputIndex))
  return utxo ? addressesOf(utxo) : ownersOfOutput(rows, spent)
}

/**
 * Returns an output of the P-Chain, spent or not, from the tables that are never pruned; `undefined` if it never existed. It is an output
 * without a transaction, or under a transaction an ordinary output, a stake, a reward or a refund.
 */
export function outputOf(view: View, txID: ID, outputIndex: number): Utxo | undefined {
  const untraced = view.get(tables.untracedOutputs, utxoID(txID, outputIndex))
  if (untraced) return untraced.utxo
  const tx = acceptedTx(view, txID)?.unsignedTx
  const own = tx && "outputs" in tx ? tx.outputs : []
  const output = own[outputIndex] ?? (tx && stakerInfoOf(tx)?.stake[outputIndex - own.length])
  if (output) return { txID, outputIndex, assetID: output.assetID, output: output.output }
  return tx && (view.get(tables.rewardUtxos, { txID, outputIndex }) ?? refundOf(view, txID, outputIndex))
}

function refundOf(view: View, txID: ID, outputIndex: number): Utxo | undefined {
  const height = view.get(tables.txs, txID)?.height
  for (const fact of height === undefined ? [] : factsAt(view, height)) {
    if (fact.kind === "refund" && fact.utxo.txID === txID && fact.utxo.outputIndex === outputIndex) return fact.utxo
  }
  return undefined
}
