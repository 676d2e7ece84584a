import { tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import { acceptedTx, stakerInfoOf } from "../../txs/execute.js"
import type { ID } from "../../types/id.js"
import { unlockedInput } from "../../types/input.js"
import type { TransferableOutput } from "../../types/output.js"
import { type Utxo, utxoID } from "../../types/utxo.js"
import { refundOwnerOf } from "../owners.js"
import { explorerTables } from "./tables.js"

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

const utxoOf = (txID: ID, outputIndex: number, { assetID, output }: TransferableOutput): Utxo => ({
  txID,
  outputIndex,
  assetID,
  output,
})
