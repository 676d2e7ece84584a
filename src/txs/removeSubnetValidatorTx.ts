import { id, nodeID } from "../types/id.js"
import { auth, checkSigners } from "../types/input.js"
import { baseFields, checkBase, checkIsSubnet } from "./base.js"
import { defineTx } from "./defineTx.js"

/** The owner of a subnet takes a permissioned validator off it. */
export const removeSubnetValidatorTx = defineTx({
  kind: "RemoveSubnetValidatorTx",
  typeID: 23,
  fields: { ...baseFields, nodeID, subnetID: id, subnetAuthorization: auth },

  check(tx, context) {
    checkIsSubnet(tx.subnetID, "can't remove primary network validator with RemoveSubnetValidatorTx")
    checkBase(tx, context)
    checkSigners(tx.subnetAuthorization)
  },
})
