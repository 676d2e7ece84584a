import { factsOfTx } from "../../../core/readmodel/acceptedBlock.js"
import { outputsCreatedBy } from "../../../core/readmodel/explorer/movements.js"
import { explorerTables } from "../../../core/readmodel/explorer/tables.js"
import { outputOf } from "../../../core/readmodel/owners.js"
import { TxStatus } from "../../../core/state/tables.js"
import type { PastReader, View } from "../../../core/state/view.js"
import { stakerInfoOf } from "../../../core/txs/execute.js"
import type { Tx } from "../../../core/txs/tx.js"
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

/** The height and the status of an accepted transaction. */
interface TxPlace {
  readonly height: bigint
  readonly status: number
}

/** Describes the outputs of an accepted transaction, each with its later use. */
export async function outputFacts(past: PastReader, tx: Tx, row: TxPlace) {
  const outputs = await past.read((view) => [...outputsOf(view, tx, row)])
  return await past.each(outputs, (view, [utxo, role]) => {
    const spender = role === "export" ? undefined : view.get(explorerTables.spenders, utxoID(utxo.txID, utxo.outputIndex))
    return { ...utxoFacts(utxo), role, spentBy: spender?.txID }
  })
}

type Role = (typeof outputRoles)[number]

/** Returns the outputs that a transaction creates; those that it stakes or exports come after its payments. */
function* outputsOf(view: View, tx: Tx, { height, status }: TxPlace): Iterable<readonly [Utxo, Role]> {
  const { id, unsignedTx } = tx
  const isCommitted = status === TxStatus.committed
  const created = [...outputsCreatedBy({ tx, height, isCommitted, facts: factsOfTx(view, id, height) }, view)]
  for (const { utxo, role } of created) if (role !== "refund") yield [utxo, role]
  if (!("outputs" in unsignedTx)) return
  const staked = isCommitted ? (stakerInfoOf(unsignedTx)?.stake ?? []) : []
  const elsewhere = unsignedTx.kind === "ExportTx" ? unsignedTx.exportedOutputs : staked
  for (const [i, { assetID, output }] of elsewhere.entries()) {
    const utxo = { txID: id, outputIndex: unsignedTx.outputs.length + i, assetID, output }
    yield [utxo, unsignedTx.kind === "ExportTx" ? "export" : "stake"]
  }
  for (const { utxo, role } of created) if (role === "refund") yield [utxo, role]
}
