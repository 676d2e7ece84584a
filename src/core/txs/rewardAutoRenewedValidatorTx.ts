import { u64 } from "../codec/primitives.js"
import { add64, sub64 } from "../lib/math64.js"
import type { StakerInfo, TxContext } from "../rules/context.js"
import { restakeOf } from "../rules/reward.js"
import { promiseReward, supplyOf } from "../rules/staking.js"
import type { Diff } from "../state/diff.js"
import { DepartureReason } from "../state/facts.js"
import type { Staker } from "../state/staker.js"
import { deleteCurrentStaker, renewCurrentValidator } from "../state/stakers.js"
import { type Renewal, tables } from "../state/tables.js"
import { EMPTY_ID, id, idText } from "../types/id.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { checkNoCredentials, dueStaker, payRewards, returnStake } from "./rewards.js"

/**
 * Proposes that the cycle of an auto-renewed validator ends with its reward. On commit it continues, or leaves if it was set to stop.
 * ACP-236.
 */
export const rewardAutoRenewedValidatorTx = defineTx({
  kind: "RewardAutoRenewedValidatorTx",
  typeID: 42,
  fields: {
    /** The AddAutoRenewedValidatorTx that created the validator. */
    txID: id,
    /** The end of the cycle, Unix seconds. */
    timestamp: u64,
  },

  check(tx) {
    if (tx.txID === EMPTY_ID) throw txError("tx.missing_tx_id")
    if (tx.timestamp === 0n) throw txError("tx.missing_timestamp")
  },

  propose(tx, context, abort) {
    checkNoCredentials(context)
    if (tx.timestamp !== context.chainTime) {
      throw txError("tx.wrong_timestamp", { expected: context.chainTime, got: tx.timestamp })
    }
    const { staker, kind, info } = dueStaker(context, tx.txID)
    if (!info?.authority) throw txError("tx.not_auto_renewed", { txID: idText(tx.txID), kind })
    const cycle = endedCycle(context.diff, staker, info)
    leave(context, abort, cycle, "unrewarded")
    abort.put(tables.supplies, staker.subnetID, sub64(supplyOf(abort, staker.subnetID), staker.potentialReward))
    if (cycle.renewal.nextPeriod === 0n) leave(context, context.diff, cycle, "rewarded")
    else renew(context, cycle)
  },
})

/** A cycle that has ended: its validator and its rewards. */
interface Cycle {
  readonly staker: Staker
  readonly info: StakerInfo
  readonly renewal: Renewal
  /** The validator's share of its delegators' rewards in this cycle, nAVAX. */
  readonly delegateeReward: bigint
}

function endedCycle(diff: Diff, staker: Staker, info: StakerInfo): Cycle {
  const renewal = diff.get(tables.renewals, staker)
  if (!renewal) throw new Error(`the auto-renewed validator ${staker.txID} has no row of its renewal`)
  return { staker, info, renewal, delegateeReward: diff.get(tables.delegateeRewards, staker) ?? 0n }
}

/**
 * The validator leaves: its original stake is returned, and everything that was restaked is paid, with the reward of this cycle if it has
 * one.
 */
function leave(context: TxContext, diff: Diff, cycle: Cycle, reason: "rewarded" | "unrewarded"): void {
  const { staker, info, renewal, delegateeReward } = cycle
  deleteCurrentStaker(diff, staker)
  diff.record({ kind: "departure", by: context.txID, stakerID: staker.txID, reason: DepartureReason[reason] })
  returnStake(info, staker, diff)
  const validation = add64(reason === "rewarded" ? staker.potentialReward : 0n, renewal.accruedValidationRewards)
  payBoth(context, diff, info, validation, add64(delegateeReward, renewal.accruedDelegateeRewards))
}

/** The validator continues with the restaked rewards, up to the maximum stake; the rest is paid. */
function renew(context: TxContext, { staker, info, renewal, delegateeReward }: Cycle): void {
  const { diff, blockContext } = context
  const { potentialReward, subnetID } = staker
  const room = sub64(blockContext.params.staking.maxValidatorStake, staker.weight)
  const rewards = { validation: potentialReward, delegatee: delegateeReward }
  const restaked = restakeOf(rewards, renewal.autoCompoundRewardShares, room)
  payBoth(context, diff, info, potentialReward - restaked.validation, delegateeReward - restaked.delegatee)
  const weight = add64(add64(staker.weight, restaked.validation), restaked.delegatee)
  const startTime = staker.endTime
  const endTime = startTime + renewal.nextPeriod
  // The supply still includes the reward of the ended cycle, which is now paid or staked.
  const nextReward = promiseReward(diff, blockContext, subnetID, { start: startTime, duration: renewal.nextPeriod, weight })
  const next = { ...staker, weight, startTime, endTime, nextTime: endTime, potentialReward: nextReward }
  renewCurrentValidator(diff, staker, next, {
    ...renewal,
    accruedValidationRewards: add64(renewal.accruedValidationRewards, restaked.validation),
    accruedDelegateeRewards: add64(renewal.accruedDelegateeRewards, restaked.delegatee),
  })
}

/** Pays both kinds of rewards as outputs of the transaction that ends the cycle, which has no outputs of its own. */
function payBoth({ txID, blockContext }: TxContext, diff: Diff, info: StakerInfo, validation: bigint, delegatee: bigint): void {
  payRewards(
    diff,
    { by: txID, txID, assetID: blockContext.avaxAssetID, firstIndex: 0 },
    { kind: "validation", amount: validation, owner: info.rewardsOwner! },
    { kind: "delegationFee", amount: delegatee, owner: info.delegationRewardsOwner! },
  )
}
