import { list } from "../codec/list.js"
import { bytes } from "../codec/primitives.js"
import { compareBytes, isZero } from "../lib/bytes.js"
import { id, NODE_ID_SIZE } from "../types/id.js"
import { auth, checkSigners } from "../types/input.js"
import { checkOwner } from "../types/owners.js"
import { type ConversionValidator, conversionValidator } from "../types/validator.js"
import { baseFields, type CheckContext, checkBase, checkIsSubnet } from "./base.js"
import { checkPossession } from "./checkPossession.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"

const MAX_ADDRESS_SIZE = 4096

/** Turns a permissioned subnet into an L1, which from then on decides on its validators itself. ACP-77, from Etna. */
export const convertSubnetToL1Tx = defineTx({
  kind: "ConvertSubnetToL1Tx",
  typeID: 35,
  fields: {
    ...baseFields,
    subnetID: id,
    chainID: id,
    address: bytes,
    validators: list(conversionValidator),
    subnetAuthorization: auth,
  },

  check(tx, context) {
    checkIsSubnet(tx.subnetID, "cannot convert a permissionless subnet")
    if (tx.address.length > MAX_ADDRESS_SIZE) throw txError("tx.manager_address_too_long", { size: tx.address.length })
    if (tx.validators.length === 0) throw txError("tx.no_validators")
    for (let i = 1; i < tx.validators.length; i++) {
      if (compareBytes(tx.validators[i - 1]!.nodeID, tx.validators[i]!.nodeID) >= 0) throw txError("tx.validators_unsorted")
    }
    checkBase(tx, context)
    for (const validator of tx.validators) checkValidator(validator, context)
    checkSigners(tx.subnetAuthorization)
  },
})

function checkValidator(validator: ConversionValidator, context: CheckContext): void {
  const { nodeID } = validator
  if (validator.weight === 0n) throw txError("tx.zero_l1_weight")
  if (nodeID.length !== NODE_ID_SIZE) throw txError("tx.bad_node_id", { size: nodeID.length })
  if (isZero(nodeID)) throw txError("tx.empty_node_id")
  checkPossession(validator.signer, context)
  checkOwner(validator.remainingBalanceOwner)
  checkOwner(validator.deactivationOwner)
}
