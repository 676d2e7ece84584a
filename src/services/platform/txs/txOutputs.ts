import { outputOf, refundIDOf, utxosCreatedBy } from "../../../core/readmodel/explorer/movements.js"
import { explorerTables } from "../../../core/readmodel/explorer/tables.js"
import { TxStatus, tables } from "../../../core/state/tables.js"
import type { PastReader, View } from "../../../core/state/view.js"
import { stakerInfoOf } from "../../../core/txs/execute.js"
import type { Tx } from "../../../core/txs/tx.js"
import type { ID } from "../../../core/types/id.js"
import { type TransferableInput, unlockedInput } from "../../../core/types/input.js"
import { type Utxo, utxoID } from "../../../core/types/utxo.js"
import { utxoFacts } from "../params/utxoOutput.js"

/** Describes the outputs that a transaction spends, with their owners if they are known. The owners of imported outputs are not. */
export async function inputFacts(past: PastReader, { unsignedTx: tx }: Tx) {
  if (!("inputs" in tx)) return []
  const inputs = await past.each(tx.inputs, (view, spent) => {
    const utxo = outputOf(view, spent.txID, spent.outputIndex)
    return utxo ? utxoFacts(utxo) : spentFacts(spent)
  })
  if (tx.kind !== "ImportTx") return inputs
  return [...inputs, ...tx.importedInputs.map((spent) => ({ ...spentFacts(spent), sourceChain: tx.sourceChain }))]
}

function spentFacts({ txID, outputIndex, assetID, input }: TransferableInput) {
  return { utxoID: utxoID(txID, outputIndex), txID, outputIndex, assetID, amount: unlockedInput(input).amount }
}

/** The roles of a transaction's outputs. */
export const outputRoles = ["payment", "stake", "export", "returned", "reward", "refund"] as const

/** Describes the outputs of an accepted transaction, each with its later use. */
export async function outputFacts(
  past: PastReader,
  tx: Tx,
  { height, status }: { readonly height: bigint; readonly status: number },
) {
  const outputs = await past.read((view) => [...outputsOf(view, tx, height, status !== TxStatus.aborted)])
  return await past.each(outputs, (view, [utxo, role]) => {
    const spender = role === "export" ? undefined : view.get(explorerTables.spenders, utxoID(utxo.txID, utxo.outputIndex))
    return { ...utxoFacts(utxo), role, spentBy: spender?.txID }
  })
}

type Role = (typeof outputRoles)[number]

function* outputsOf(view: View, tx: Tx, height: bigint, isCommitted: boolean): Iterable<readonly [Utxo, Role]> {
  const { id, unsignedTx } = tx
  // A proposal is the last transaction of its block.
  const placed = { tx, height, index: 0xffff_ffff, isCommitted }
  if (!("outputs" in unsignedTx)) {
    for (const utxo of utxosCreatedBy(placed, view)) yield [utxo, isReward(view, utxo) ? "reward" : "returned"]
    return
  }
  const named = (output: { assetID: ID; output: Utxo["output"] }, outputIndex: number): Utxo => ({
    txID: id,
    outputIndex,
    assetID: output.assetID,
    output: output.output,
  })
  const own = unsignedTx.outputs.length
  for (const [i, output] of unsignedTx.outputs.entries()) yield [named(output, i), "payment"]
  for (const [i, output] of (stakerInfoOf(unsignedTx)?.stake ?? []).entries())
    yield [named(output, own + i), isCommitted ? "stake" : "returned"]
  const exported = unsignedTx.kind === "ExportTx" ? unsignedTx.exportedOutputs : []
  for (const [i, output] of exported.entries()) yield [named(output, own + i), "export"]
  const refund = refundIDOf(tx) && outputOf(view, id, own)
  if (refund) yield [refund, "refund"]
}

function isReward(view: View, { txID, outputIndex }: Utxo): boolean {
  return view.get(tables.rewardUtxos, { txID, outputIndex }) !== undefined
}
