import { checkOwner, owner } from "../types/owners.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"

/** Makes a subnet; its ID is this transaction's. */
export const createSubnetTx = defineTx({
  kind: "CreateSubnetTx",
  typeID: 16,
  fields: { ...baseFields, owner },

  check(tx, context) {
    checkBase(tx, context)
    checkOwner(tx.owner)
  },
})
