import { decode } from "../codec/decode.js"
import { list } from "../codec/list.js"
import { withStep } from "../lib/invalid.js"
import { BASE_SIZE, dimensions, inputsComplexity } from "../rules/complexity.js"
import { rulesError } from "../rules/errors.js"
import { requirePeerChain } from "../rules/subnets.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { type ID, id, idText, P_CHAIN_ID } from "../types/id.js"
import { checkInput, checkInputOrder, transferableInput } from "../types/input.js"
import { topLevelUtxo, type Utxo, utxoID, utxoReference } from "../types/utxo.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { requirePaid } from "./spend.js"

/** Imports UTXOs that another chain of the primary network exported. */
export const importTx = defineTx({
  kind: "ImportTx",
  typeID: 17,
  fields: { ...baseFields, sourceChain: id, importedInputs: list(transferableInput) },

  check(tx, context) {
    if (tx.importedInputs.length === 0) throw txError("tx.nothing_imported")
    checkBase(tx, context)
    withStep("input failed verification: ", () => tx.importedInputs.forEach(checkInput))
    checkInputOrder(tx.importedInputs)
  },

  intrinsic: dimensions(BASE_SIZE + 36),

  parts: (tx) => [inputsComplexity(tx.importedInputs)],

  execute(tx, context) {
    const imported = tx.importedInputs.map(({ txID, outputIndex }) => utxoID(txID, outputIndex))
    for (const each of imported) context.imports.add(each)
    if (context.blockContext.checksImports) {
      requirePeerChain(context.blockContext.lastAccepted, tx.sourceChain)
      const waiting = imported.map((each) => requireWaiting(context.blockContext.lastAccepted, tx.sourceChain, each))
      const own = tx.inputs.map((input) => {
        const utxo = context.diff.get(tables.utxos, utxoID(input.txID, input.outputIndex))
        if (utxo) return utxo
        const missing = utxoReference(input.txID, input.outputIndex)
        throw rulesError("rules.unknown_utxo", { utxo: missing, reference: `failed to get UTXO ${missing}: not found` })
      })
      requirePaid(context, tx, { inputs: [...tx.inputs, ...tx.importedInputs], utxos: [...own, ...waiting] })
    }
    for (const each of imported)
      context.diff.delete(tables.atomicUtxos, { receiver: P_CHAIN_ID, sender: tx.sourceChain, utxoID: each })
  },
})

/** Returns a UTXO that the other chain exported. UTXOs that undecided blocks import are still there; the block checks those conflicts. */
function requireWaiting(lastAccepted: View, sender: ID, imported: ID): Utxo {
  const row = lastAccepted.get(tables.atomicUtxos, { receiver: P_CHAIN_ID, sender, utxoID: imported })
  if (!row) throw rulesError("rules.not_waiting", { utxoID: idText(imported) }).dependingOn("height")
  return decode(topLevelUtxo, row.value)
}
