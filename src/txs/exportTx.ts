import { list } from "../codec/list.js"
import { id } from "../types/id.js"
import { checkOutput, checkOutputOrder, transferableOutput } from "../types/output.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"

/** Sends funds to another chain of the primary network. */
export const exportTx = defineTx({
  kind: "ExportTx",
  typeID: 18,
  fields: { ...baseFields, destinationChain: id, exportedOutputs: list(transferableOutput) },

  check(tx, context) {
    if (tx.exportedOutputs.length === 0) throw txError("tx.nothing_exported")
    checkBase(tx, context)
    for (const output of tx.exportedOutputs) {
      checkOutput(output)
      if (output.output.kind === "LockOut") throw txError("tx.exports_locked")
    }
    checkOutputOrder(tx.exportedOutputs)
  },
})
