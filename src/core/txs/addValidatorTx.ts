import { list } from "../codec/list.js"
import { u32 } from "../codec/primitives.js"
import type { ValueOf } from "../codec/struct.js"
import { withStep } from "../lib/invalid.js"
import type { StakerInfo, TxContext } from "../rules/context.js"
import { checkDuration, checkIsNoValidator, checkStartTime, checkValidatorLimits, periodOf } from "../rules/staking.js"
import { Priority } from "../state/staker.js"
import { EMPTY_NODE_ID, PRIMARY_NETWORK_ID } from "../types/id.js"
import { transferableOutput } from "../types/output.js"
import { owner } from "../types/owners.js"
import { validator } from "../types/validator.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { proposedStaker } from "./proposedStaker.js"
import { FLOW_CHECK, requirePaid } from "./spend.js"
import { checkAvaxStake, checkShares, checkStaker } from "./stake.js"

const fields = { ...baseFields, validator, stake: list(transferableOutput), rewardsOwner: owner, shares: u32 }

type Body = ValueOf<typeof fields>

/** Stakes AVAX to validate the primary network. Until Durango. */
export const addValidatorTx = defineTx({
  kind: "AddValidatorTx",
  typeID: 12,
  until: "durango",
  proposedUntil: "banff",
  fields,

  checkFirst(tx) {
    if (tx.validator.nodeID === EMPTY_NODE_ID) throw txError("tx.empty_node_id")
  },

  check(tx, context) {
    checkShares(tx.shares)
    withStep("failed to verify BaseTx: ", () => checkBase(tx, context))
    checkStaker(tx)
    checkAvaxStake(tx.stake, tx.validator.weight, context.avaxAssetID, "tx.stake_weight_mismatch")
  },

  ...proposedStaker(stakerOf, verify),
})

function stakerOf(tx: Body): StakerInfo {
  return {
    role: "validator",
    ...tx.validator,
    subnetID: PRIMARY_NETWORK_ID,
    pendingPriority: Priority.primaryValidatorPending,
    currentPriority: Priority.primaryValidatorCurrent,
    outputCount: tx.outputs.length,
    stake: tx.stake,
    rewardsOwner: tx.rewardsOwner,
    delegationRewardsOwner: tx.rewardsOwner,
    shares: tx.shares,
  }
}

function verify(tx: Body, context: TxContext): void {
  const limits = context.blockContext.params.staking
  const { weight, nodeID } = tx.validator
  const period = periodOf(context, tx.validator)
  checkValidatorLimits(weight, tx.shares, limits)
  checkDuration(period.duration, limits)
  checkStartTime(context, period.start)
  const key = { subnetID: PRIMARY_NETWORK_ID, nodeID }
  checkIsNoValidator(context.diff, key, (node) => `${node} is already a validator of the primary network`)
  requirePaid(context, tx, { more: tx.stake, step: FLOW_CHECK })
}
