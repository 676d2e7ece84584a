import { authComplexity, BASE_SIZE, dimensions } from "../rules/complexity.js"
import { rulesError } from "../rules/errors.js"
import { authoriseForSubnet } from "../rules/subnets.js"
import { checkVerifiable } from "../rules/verifiable.js"
import { DepartureReason } from "../state/facts.js"
import { isPermissioned } from "../state/staker.js"
import { deleteCurrentStaker, deletePendingStaker } from "../state/stakers.js"
import { tables } from "../state/tables.js"
import { id, idText, nodeID, nodeIDText } from "../types/id.js"
import { authPlace } from "../types/verifiable.js"
import { baseFields, checkBase, checkIsSubnet } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { FLOW_CHECK, requirePaid } from "./spend.js"

/** Removes a permissioned validator of a subnet, on behalf of its owner. */
export const removeSubnetValidatorTx = defineTx({
  kind: "RemoveSubnetValidatorTx",
  typeID: 23,
  fields: { ...baseFields, nodeID, subnetID: id, subnetAuthorization: authPlace },

  check(tx, context) {
    checkIsSubnet(tx.subnetID, "can't remove primary network validator with RemoveSubnetValidatorTx")
    checkBase(tx, context)
    checkVerifiable(tx.subnetAuthorization, context)
  },

  intrinsic: dimensions(BASE_SIZE + 60, 1, 3),

  parts: (tx) => [authComplexity(tx.subnetAuthorization)],

  execute(tx, context) {
    const current = context.diff.get(tables.currentValidators, tx)
    const validator = current ?? context.diff.get(tables.pendingValidators, tx)
    if (!validator) {
      const reference = `${nodeIDText(tx.nodeID)} isn't a current or pending validator of ${idText(tx.subnetID)}: not found`
      throw rulesError("rules.not_validator", { nodeID: nodeIDText(tx.nodeID), reference })
    }
    if (!isPermissioned(validator.priority)) throw txError("tx.removes_permissionless", { nodeID: nodeIDText(tx.nodeID) })
    const credentials = authoriseForSubnet(context, tx.subnetID, tx.subnetAuthorization)
    requirePaid(context, tx, { credentials, step: FLOW_CHECK })
    if (current) deleteCurrentStaker(context.diff, validator)
    else deletePendingStaker(context.diff, validator)
    const departure = { kind: "departure", by: context.txID, stakerID: validator.txID } as const
    context.diff.record({ ...departure, reason: DepartureReason.removed })
  },
})
