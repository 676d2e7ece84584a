import { auth, checkSigners } from "../types/input.js"
import { subnetValidator } from "../types/validator.js"
import { baseFields, checkBase, checkIsSubnet } from "./base.js"
import { defineTx } from "./defineTx.js"
import { checkWeight } from "./stake.js"

/** The owner of a permissioned subnet lets a node validate it. Nothing is staked: the weight is just a number. */
export const addSubnetValidatorTx = defineTx({
  kind: "AddSubnetValidatorTx",
  typeID: 13,
  fields: { ...baseFields, validator: subnetValidator, subnetAuthorization: auth },

  check(tx, context) {
    checkIsSubnet(tx.validator.subnetID, "can't add primary network validator with AddSubnetValidatorTx")
    checkBase(tx, context)
    checkWeight(tx.validator)
    checkSigners(tx.subnetAuthorization)
  },
})
