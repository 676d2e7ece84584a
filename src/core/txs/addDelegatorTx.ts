import { list } from "../codec/list.js"
import type { ValueOf } from "../codec/struct.js"
import { isActiveNow, type StakerInfo, type TxContext } from "../rules/context.js"
import { apricotDelegationLimit, checkNotOverDelegated } from "../rules/delegation.js"
import { rulesError } from "../rules/errors.js"
import { checkDuration, checkInside, checkStartTime, periodOf } from "../rules/staking.js"
import { Priority } from "../state/staker.js"
import { validatorOf } from "../state/stakers.js"
import { nodeIDText, PRIMARY_NETWORK_ID } from "../types/id.js"
import { transferableOutput } from "../types/output.js"
import { owner } from "../types/owners.js"
import { validator } from "../types/validator.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { proposedStaker } from "./proposedStaker.js"
import { FLOW_CHECK, requirePaid } from "./spend.js"
import { checkAvaxStake, checkStaker } from "./stake.js"

const fields = { ...baseFields, validator, stake: list(transferableOutput), rewardsOwner: owner }

type Body = ValueOf<typeof fields>

/** Stakes AVAX with a validator of the primary network. Until Durango. */
export const addDelegatorTx = defineTx({
  kind: "AddDelegatorTx",
  typeID: 14,
  until: "durango",
  proposedUntil: "banff",
  fields,

  check(tx, context) {
    checkBase(tx, context)
    checkStaker(tx)
    checkAvaxStake(tx.stake, tx.validator.weight, context.avaxAssetID, "tx.delegation_weight_mismatch")
  },

  ...proposedStaker(stakerOf, verify),
})

function stakerOf(tx: Body): StakerInfo {
  return {
    role: "delegator",
    ...tx.validator,
    subnetID: PRIMARY_NETWORK_ID,
    pendingPriority: Priority.primaryDelegatorApricotPending,
    currentPriority: Priority.primaryDelegatorCurrent,
    outputCount: tx.outputs.length,
    stake: tx.stake,
    rewardsOwner: tx.rewardsOwner,
    shares: 0,
  }
}

function verify(tx: Body, context: TxContext): void {
  const limits = context.blockContext.params.staking
  const { weight, nodeID } = tx.validator
  const period = periodOf(context, tx.validator)
  checkDuration(period.duration, limits)
  if (weight < limits.minDelegatorStake) throw rulesError("rules.weight_too_small", { weight, minimum: limits.minDelegatorStake })
  checkStartTime(context, period.start)
  const validator = validatorOf(context.diff, { subnetID: PRIMARY_NETWORK_ID, nodeID })
  if (!validator) {
    const reference = `failed to fetch the primary network validator for ${nodeIDText(nodeID)}: not found`
    throw rulesError("rules.not_validator", { nodeID: nodeIDText(nodeID), reference })
  }
  const limit = apricotDelegationLimit(
    validator.weight,
    isActiveNow(context, "apricotPhase3") ? limits.maxValidatorStake : undefined,
  )
  checkInside(period, validator)
  checkNotOverDelegated(context.diff, validator, { ...period, weight, limit })
  requirePaid(context, tx, { more: tx.stake, step: FLOW_CHECK })
}
