import { id } from "../types/id.js"
import { auth, checkSigners } from "../types/input.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"

/** Stops an L1 validator and gives the rest of its balance back. ACP-77, from Etna. */
export const disableL1ValidatorTx = defineTx({
  kind: "DisableL1ValidatorTx",
  typeID: 39,
  fields: { ...baseFields, validationID: id, disableAuthorization: auth },

  check(tx, context) {
    checkBase(tx, context)
    checkSigners(tx.disableAuthorization)
  },
})
