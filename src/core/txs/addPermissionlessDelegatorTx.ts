import { list } from "../codec/list.js"
import type { ValueOf } from "../codec/struct.js"
import { withStep } from "../lib/invalid.js"
import { BASE_SIZE, dimensions, outputsComplexity, ownerComplexity } from "../rules/complexity.js"
import type { StakerInfo } from "../rules/context.js"
import { checkNotOverDelegated, delegationLimit } from "../rules/delegation.js"
import { rulesError } from "../rules/errors.js"
import {
  checkDuration,
  checkInside,
  checkStakeAsset,
  checkStartTime,
  periodOf,
  recordStaker,
  stakingRulesFor,
} from "../rules/staking.js"
import { isPermissioned, Priority } from "../state/staker.js"
import { validatorOf } from "../state/stakers.js"
import { id, idText, nodeIDText, PRIMARY_NETWORK_ID } from "../types/id.js"
import { transferableOutput } from "../types/output.js"
import { owner } from "../types/owners.js"
import { validator } from "../types/validator.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { FLOW_CHECK, requirePaid } from "./spend.js"
import { checkStake, checkStaker } from "./stake.js"

const fields = { ...baseFields, validator, subnetID: id, stake: list(transferableOutput), rewardsOwner: owner }

type Body = ValueOf<typeof fields>

/** Stakes with a validator of the primary network or of a transformed subnet. From Banff. */
export const addPermissionlessDelegatorTx = defineTx({
  kind: "AddPermissionlessDelegatorTx",
  typeID: 26,
  fields,

  check(tx, context) {
    if (tx.stake.length === 0) throw txError("tx.no_stake")
    withStep("failed to verify BaseTx: ", () => checkBase(tx, context))
    checkStaker(tx)
    checkStake(tx.stake, tx.validator.weight, "tx.delegation_weight_mismatch")
  },

  staker: stakerOf,

  intrinsic: dimensions(BASE_SIZE + 84, 1, 2),

  parts: (tx) => [ownerComplexity(tx.rewardsOwner), outputsComplexity(tx.stake)],

  execute(tx, context) {
    const period = periodOf(context, tx.validator)
    checkStartTime(context, period.start)
    const limits = stakingRulesFor(context.diff, context.blockContext, tx.subnetID)
    const { weight, nodeID } = tx.validator
    if (weight < limits.minDelegatorStake)
      throw rulesError("rules.weight_too_small", { weight, minimum: limits.minDelegatorStake, asset: limits.asset })
    checkDuration(period.duration, limits)
    checkStakeAsset(limits.assetID, tx.stake[0]!.assetID)
    const validator = validatorOf(context.diff, { subnetID: tx.subnetID, nodeID })
    if (!validator) {
      const reference = `failed to fetch the validator for ${nodeIDText(nodeID)} on ${idText(tx.subnetID)}: not found`
      throw rulesError("rules.not_validator", { nodeID: nodeIDText(nodeID), reference })
    }
    const limit = delegationLimit(validator.weight, limits.maxValidatorWeightFactor, limits.maxValidatorStake)
    checkInside(period, validator)
    checkNotOverDelegated(context.diff, validator, { ...period, weight, limit, asset: limits.asset })
    if (tx.subnetID !== PRIMARY_NETWORK_ID && isPermissioned(validator.priority)) {
      throw rulesError("rules.permissioned_validator", { nodeID: nodeIDText(nodeID) })
    }
    requirePaid(context, tx, { more: tx.stake, step: FLOW_CHECK })
    recordStaker(context, stakerOf(tx))
  },
})

function stakerOf(tx: Body): StakerInfo {
  const isPrimary = tx.subnetID === PRIMARY_NETWORK_ID
  return {
    role: "delegator",
    ...tx.validator,
    subnetID: tx.subnetID,
    pendingPriority: isPrimary ? Priority.primaryDelegatorPending : Priority.subnetPermissionlessDelegatorPending,
    currentPriority: isPrimary ? Priority.primaryDelegatorCurrent : Priority.subnetPermissionlessDelegatorCurrent,
    outputCount: tx.outputs.length,
    stake: tx.stake,
    rewardsOwner: tx.rewardsOwner,
    shares: 0,
  }
}
