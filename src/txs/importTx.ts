import { list } from "../codec/list.js"
import { id } from "../types/id.js"
import { checkInput, checkInputOrder, transferableInput } from "../types/input.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"

/** Takes UTXOs that another chain of the primary network exported. */
export const importTx = defineTx({
  kind: "ImportTx",
  typeID: 17,
  fields: { ...baseFields, sourceChain: id, importedInputs: list(transferableInput) },

  check(tx, context) {
    if (tx.importedInputs.length === 0) throw txError("tx.nothing_imported")
    checkBase(tx, context)
    for (const input of tx.importedInputs) checkInput(input)
    checkInputOrder(tx.importedInputs)
  },
})
