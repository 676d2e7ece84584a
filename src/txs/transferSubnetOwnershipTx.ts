import { id } from "../types/id.js"
import { auth, checkSigners } from "../types/input.js"
import { checkOwner, owner } from "../types/owners.js"
import { baseFields, checkBase, checkIsSubnet } from "./base.js"
import { defineTx } from "./defineTx.js"

/** Hands a subnet to another owner. From Durango. */
export const transferSubnetOwnershipTx = defineTx({
  kind: "TransferSubnetOwnershipTx",
  typeID: 33,
  fields: { ...baseFields, subnetID: id, subnetAuthorization: auth, newOwner: owner },

  check(tx, context) {
    checkIsSubnet(tx.subnetID, "cannot transfer ownership of a permissionless subnet")
    checkBase(tx, context)
    checkSigners(tx.subnetAuthorization)
    checkOwner(tx.newOwner)
  },
})
