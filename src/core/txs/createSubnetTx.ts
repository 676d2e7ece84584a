import { BASE_SIZE, dimensions, ownerComplexity } from "../rules/complexity.js"
import { tables } from "../state/tables.js"
import { checkOwner, owner } from "../types/owners.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { requirePaid } from "./spend.js"

/** Creates a subnet. Its ID is this transaction's. */
export const createSubnetTx = defineTx({
  kind: "CreateSubnetTx",
  typeID: 16,
  fields: { ...baseFields, owner },

  check(tx, context) {
    checkBase(tx, context)
    checkOwner(tx.owner)
  },

  intrinsic: dimensions(BASE_SIZE + 4, 0, 1),

  parts: (tx) => [ownerComplexity(tx.owner)],

  execute(tx, context) {
    requirePaid(context, tx)
    context.diff.insert(tables.subnets, context.txID, null)
    context.diff.put(tables.subnetOwners, context.txID, tx.owner)
  },
})
