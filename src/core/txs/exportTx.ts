import { encode } from "../codec/decode.js"
import { list } from "../codec/list.js"
import { withStep } from "../lib/invalid.js"
import { BASE_SIZE, dimensions, outputsComplexity } from "../rules/complexity.js"
import { requirePeerChain } from "../rules/subnets.js"
import { tables } from "../state/tables.js"
import { id, P_CHAIN_ID } from "../types/id.js"
import { checkOutput, checkOutputOrder, innerOutput, transferableOutput } from "../types/output.js"
import { topLevelUtxo, utxoID } from "../types/utxo.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { requirePaid } from "./spend.js"

/** Sends funds to another chain of the primary network. */
export const exportTx = defineTx({
  kind: "ExportTx",
  typeID: 18,
  fields: { ...baseFields, destinationChain: id, exportedOutputs: list(transferableOutput) },

  check(tx, context) {
    if (tx.exportedOutputs.length === 0) throw txError("tx.nothing_exported")
    checkBase(tx, context)
    for (const output of tx.exportedOutputs) {
      withStep("output failed verification: ", () => checkOutput(output))
      if (output.output.kind === "LockOut") throw txError("tx.exports_locked")
    }
    checkOutputOrder(tx.exportedOutputs)
  },

  intrinsic: dimensions(BASE_SIZE + 36),

  parts: (tx) => [outputsComplexity(tx.exportedOutputs)],

  execute(tx, context) {
    requirePeerChain(context.blockContext.lastAccepted, tx.destinationChain)
    requirePaid(context, tx, { more: tx.exportedOutputs, step: "failed verifySpend: " })
    // Exported outputs are numbered after the ordinary ones, and wait for an import on the other chain.
    for (const [i, { assetID, output }] of tx.exportedOutputs.entries()) {
      const outputIndex = tx.outputs.length + i
      const value = encode(topLevelUtxo, { txID: context.txID, outputIndex, assetID, output })
      const key = { receiver: tx.destinationChain, sender: P_CHAIN_ID, utxoID: utxoID(context.txID, outputIndex) }
      context.diff.put(tables.atomicUtxos, key, { value, traits: innerOutput(output).addresses })
    }
  },
})
