import { add64, sub64 } from "../lib/math64.js"
import { isActive } from "../networks/upgrades.js"
import type { StakerInfo, TxContext } from "../rules/context.js"
import { splitReward } from "../rules/reward.js"
import { supplyOf } from "../rules/staking.js"
import type { Diff } from "../state/diff.js"
import type { Staker } from "../state/staker.js"
import { deleteCurrentStaker } from "../state/stakers.js"
import { tables } from "../state/tables.js"
import { EMPTY_ID, id, idText, nodeIDText } from "../types/id.js"
import type { OutputOwners } from "../types/owners.js"
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
    if (info.role === "validator") rewardValidator(info, staker, commit, abort)
    else rewardDelegator(context, info, staker, commit)
    deleteCurrentStaker(commit, staker)
    deleteCurrentStaker(abort, staker)
    // A promised reward that is not paid is subtracted from the supply.
    abort.put(tables.supplies, staker.subnetID, sub64(supplyOf(abort, staker.subnetID), staker.potentialReward))
  },
})

/** Pays the validator's own reward, then its share of its delegators' rewards. The latter is paid even if the former is not. */
function rewardValidator(info: StakerInfo, staker: Staker, commit: Diff, abort: Diff): void {
  const earned = commit.get(tables.delegateeRewards, staker) ?? 0n
  const share = [earned, info.delegationRewardsOwner!] as const
  payAfterStake(info, staker, commit, [staker.potentialReward, info.rewardsOwner!], share)
  payAfterStake(info, staker, abort, share)
}

/** Pays the delegator's part and the validator's part. From Cortina on the latter is kept until the validator leaves. */
function rewardDelegator(context: TxContext, info: StakerInfo, staker: Staker, commit: Diff): void {
  const validator = commit.get(tables.currentValidators, staker)
  const validatorInfo = validator && context.accepted(validator.txID)?.staker
  if (!validator || !validatorInfo?.delegationRewardsOwner)
    throw txError("tx.no_validator_to_reward", { nodeID: nodeIDText(staker.nodeID) })
  const { delegator, delegatee } = splitReward(staker.potentialReward, validatorInfo.shares)
  const isKept = isActive(context.blockContext.upgrades, "cortina", validator.startTime)
  const paid = [isKept ? 0n : delegatee, validatorInfo.delegationRewardsOwner] as const
  payAfterStake(info, staker, commit, [delegator, info.rewardsOwner!], paid)
  if (!isKept || delegatee === 0n) return
  commit.put(tables.delegateeRewards, staker, add64(commit.get(tables.delegateeRewards, staker) ?? 0n, delegatee))
}

/** Numbers the rewards of one staker after its transaction's outputs and stake. */
function payAfterStake(
  { outputCount, stake }: StakerInfo,
  { txID }: Staker,
  diff: Diff,
  ...rewards: readonly (readonly [bigint, OutputOwners])[]
): void {
  payRewards(diff, { txID, assetID: stake[0]!.assetID }, outputCount + stake.length, ...rewards)
}
