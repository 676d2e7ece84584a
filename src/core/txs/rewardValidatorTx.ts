import { add64, sub64 } from "../lib/math64.js"
import { isActive } from "../networks/upgrades.js"
import type { StakerInfo, TxContext } from "../rules/context.js"
import { splitReward } from "../rules/reward.js"
import { supplyOf } from "../rules/staking.js"
import type { Diff } from "../state/diff.js"
import { DepartureReason } from "../state/facts.js"
import type { Staker } from "../state/staker.js"
import { deleteCurrentStaker } from "../state/stakers.js"
import { tables } from "../state/tables.js"
import { EMPTY_ID, id, idText, nodeIDText } from "../types/id.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { checkNoCredentials, dueStaker, payRewards, returnStake } from "./rewards.js"

/** Proposes that the first staker to leave is rewarded. It names the staker's transaction. */
export const rewardValidatorTx = defineTx({
  kind: "RewardValidatorTx",
  typeID: 20,
  fields: { txID: id },

  check() {},

  propose(tx, context, abort) {
    const commit = context.diff
    if (tx.txID === EMPTY_ID) throw txError("tx.reward_of_nobody")
    checkNoCredentials(context)
    const { staker, kind, info } = dueStaker(context, tx.txID)
    // Permissioned validators earn nothing, and auto-renewed ones are rewarded by another kind of transaction.
    if (!info?.rewardsOwner || info.authority) throw txError("tx.not_permissionless", { txID: idText(tx.txID), kind })
    returnStake(info, staker, commit, abort)
    if (info.role === "validator") rewardValidator(context, info, staker, abort)
    else rewardDelegator(context, info, staker)
    deleteCurrentStaker(commit, staker)
    deleteCurrentStaker(abort, staker)
    const departure = { kind: "departure", by: context.txID, stakerID: staker.txID } as const
    commit.record({ ...departure, reason: DepartureReason.rewarded })
    abort.record({ ...departure, reason: DepartureReason.unrewarded })
    // A promised reward that is not paid is subtracted from the supply.
    abort.put(tables.supplies, staker.subnetID, sub64(supplyOf(abort, staker.subnetID), staker.potentialReward))
  },
})

/** Pays the validator's own reward, then its share of its delegators' rewards. The latter is paid even if the former is not. */
function rewardValidator(context: TxContext, info: StakerInfo, staker: Staker, abort: Diff): void {
  const commit = context.diff
  const earned = commit.get(tables.delegateeRewards, staker) ?? 0n
  const share = { kind: "delegationFee", amount: earned, owner: info.delegationRewardsOwner! } as const
  const place = placeAfterStake(context, info, staker)
  payRewards(commit, place, { kind: "validation", amount: staker.potentialReward, owner: info.rewardsOwner! }, share)
  payRewards(abort, place, share)
}

/** Pays the delegator's part and the validator's part. From Cortina on the latter is kept until the validator leaves. */
function rewardDelegator(context: TxContext, info: StakerInfo, staker: Staker): void {
  const commit = context.diff
  const validator = commit.get(tables.currentValidators, staker)
  const validatorInfo = validator && context.accepted(validator.txID)?.staker
  if (!validator || !validatorInfo?.delegationRewardsOwner)
    throw txError("tx.no_validator_to_reward", { nodeID: nodeIDText(staker.nodeID) })
  const { delegator, delegatee } = splitReward(staker.potentialReward, validatorInfo.shares)
  const isKept = isActive(context.blockContext.upgrades, "cortina", validator.startTime)
  payRewards(
    commit,
    placeAfterStake(context, info, staker),
    { kind: "delegation", amount: delegator, owner: info.rewardsOwner! },
    { kind: "delegationFee", amount: isKept ? 0n : delegatee, owner: validatorInfo.delegationRewardsOwner },
  )
  if (!isKept || delegatee === 0n) return
  commit.put(tables.delegateeRewards, staker, add64(commit.get(tables.delegateeRewards, staker) ?? 0n, delegatee))
}

/** The rewards of one staker are numbered after its transaction's outputs and stake. */
function placeAfterStake({ txID: by }: TxContext, { outputCount, stake }: StakerInfo, { txID }: Staker) {
  return { by, txID, assetID: stake[0]!.assetID, firstIndex: outputCount + stake.length }
}
