import type { ValueOf } from "../codec/struct.js"
import { authComplexity, BASE_SIZE, dimensions } from "../rules/complexity.js"
import type { StakerInfo, TxContext } from "../rules/context.js"
import { checkDuration, checkIsNoValidator, checkStartTime, checkValidatesPrimaryNetwork, periodOf } from "../rules/staking.js"
import { authoriseForPermissionedSubnet } from "../rules/subnets.js"
import { checkVerifiable } from "../rules/verifiable.js"
import { Priority } from "../state/staker.js"
import { subnetValidator } from "../types/validator.js"
import { authPlace } from "../types/verifiable.js"
import { baseFields, checkBase, checkIsSubnet } from "./base.js"
import { defineTx } from "./defineTx.js"
import { proposedStaker } from "./proposedStaker.js"
import { FLOW_CHECK, requirePaid } from "./spend.js"
import { checkWeight } from "./stake.js"

const fields = { ...baseFields, validator: subnetValidator, subnetAuthorization: authPlace }

type Body = ValueOf<typeof fields>

/** Lets a node validate a permissioned subnet, on behalf of its owner. Nothing is staked; the weight is only a number. */
export const addSubnetValidatorTx = defineTx({
  kind: "AddSubnetValidatorTx",
  typeID: 13,
  proposedUntil: "banff",
  fields,

  check(tx, context) {
    checkIsSubnet(tx.validator.subnetID, "can't add primary network validator with AddSubnetValidatorTx")
    checkBase(tx, context)
    checkWeight(tx.validator)
    checkVerifiable(tx.subnetAuthorization, context)
  },

  ...proposedStaker(stakerOf, verify),

  intrinsic: dimensions(BASE_SIZE + 84, 3, 3),

  parts: (tx) => [authComplexity(tx.subnetAuthorization)],
})

function stakerOf(tx: Body): StakerInfo {
  return {
    role: "validator",
    ...tx.validator,
    pendingPriority: Priority.subnetPermissionedValidatorPending,
    currentPriority: Priority.subnetPermissionedValidatorCurrent,
    outputCount: tx.outputs.length,
    stake: [],
    shares: 0,
  }
}

function verify(tx: Body, context: TxContext): void {
  const period = periodOf(context, tx.validator)
  checkDuration(period.duration, context.blockContext.params.staking)
  checkStartTime(context, period.start)
  checkIsNoValidator(
    context.diff,
    tx.validator,
    (nodeID, subnetID) => `attempted to issue duplicate validator for ${nodeID} on subnet ${subnetID}`,
  )
  checkValidatesPrimaryNetwork(context, tx.validator.nodeID, period)
  const credentials = authoriseForPermissionedSubnet(context, tx.validator.subnetID, tx.subnetAuthorization)
  requirePaid(context, tx, { credentials, step: FLOW_CHECK })
}
