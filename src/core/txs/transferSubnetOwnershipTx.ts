import { authComplexity, BASE_SIZE, dimensions, ownerComplexity } from "../rules/complexity.js"
import { authoriseForSubnet } from "../rules/subnets.js"
import { checkVerifiable } from "../rules/verifiable.js"
import { tables } from "../state/tables.js"
import { id } from "../types/id.js"
import { checkOwner, owner } from "../types/owners.js"
import { authPlace } from "../types/verifiable.js"
import { baseFields, checkBase, checkIsSubnet } from "./base.js"
import { defineTx } from "./defineTx.js"
import { FLOW_CHECK, requirePaid } from "./spend.js"

/** Transfers a subnet to another owner. From Durango. */
export const transferSubnetOwnershipTx = defineTx({
  kind: "TransferSubnetOwnershipTx",
  typeID: 33,
  since: "durango",
  fields: { ...baseFields, subnetID: id, subnetAuthorization: authPlace, newOwner: owner },

  check(tx, context) {
    checkIsSubnet(tx.subnetID, "cannot transfer ownership of a permissionless subnet")
    checkBase(tx, context)
    checkVerifiable(tx.subnetAuthorization, context)
    checkOwner(tx.newOwner)
  },

  intrinsic: dimensions(BASE_SIZE + 44, 1, 1),

  parts: (tx) => [authComplexity(tx.subnetAuthorization), ownerComplexity(tx.newOwner)],

  execute(tx, context) {
    const credentials = authoriseForSubnet(context, tx.subnetID, tx.subnetAuthorization)
    requirePaid(context, tx, { credentials, step: FLOW_CHECK })
    context.diff.put(tables.subnetOwners, tx.subnetID, tx.newOwner)
  },
})
