import { add64, sub64 } from "../lib/math64.js"
import { isActive } from "../networks/upgrades.js"
import { rulesError } from "../rules/errors.js"
import { splitReward } from "../rules/reward.js"
import type { Run, StakerInfo } from "../rules/run.js"
import { addUtxo } from "../rules/spend.js"
import { supplyOf } from "../rules/staking.js"
import type { Diff } from "../state/diff.js"
import type { Staker } from "../state/staker.js"
import { deleteCurrentStaker } from "../state/stakers.js"
import { tables } from "../state/tables.js"
import { EMPTY_ID, id, idText } from "../types/id.js"
import type { OutputOwners } from "../types/owners.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"

/** Proposes that the first staker to leave be rewarded. Names the transaction that made it a staker. */
export const rewardValidatorTx = defineTx({
  kind: "RewardValidatorTx",
  typeID: 20,
  fields: { txID: id },

  check() {},

  propose(tx, run, abort) {
    const commit = run.diff
    if (tx.txID === EMPTY_ID) throw txError("tx.reward_of_nobody")
    if (run.credentials.length > 0) throw rulesError("rules.no_credential", { got: run.credentials.length })
    const staker = commit.first(tables.currentStakers)?.[1]
    if (!staker) throw txError("tx.no_staker_left")
    if (staker.txID !== tx.txID) throw txError("tx.wrong_staker", { next: idText(staker.txID), got: idText(tx.txID) })
    if (staker.endTime !== run.chainTime) {
      throw txError("tx.staker_too_early", { txID: idText(tx.txID), end: staker.endTime, chainTime: run.chainTime })
    }
    const info = run.stakerInfo(staker.txID)
    if (!info?.rewardsOwner) throw txError("tx.not_permissionless", { txID: idText(tx.txID) })
    returnStake(info, staker, commit, abort)
    if (info.role === "validator") rewardValidator(info, staker, commit, abort)
    else rewardDelegator(run, info, staker, commit)
    deleteCurrentStaker(commit, staker)
    deleteCurrentStaker(abort, staker)
    // What was promised and is not paid does not exist after all.
    abort.put(tables.supplies, staker.subnetID, sub64(supplyOf(abort, staker.subnetID), staker.potentialReward))
  },
})

function returnStake(info: StakerInfo, { txID }: Staker, ...diffs: Diff[]): void {
  for (const [i, { assetID, output }] of info.stake.entries()) {
    for (const diff of diffs) addUtxo({ diff }, { txID, outputIndex: info.outputCount + i, assetID, output })
  }
}

/** The validator's own reward, then what its delegators earned it; the latter is paid even when the former is not. */
function rewardValidator(info: StakerInfo, staker: Staker, commit: Diff, abort: Diff): void {
  const rewards = new Rewards(info, staker)
  if (staker.potentialReward > 0n) rewards.pay(staker.potentialReward, info.rewardsOwner!, commit)
  const earned = commit.get(tables.delegateeRewards, staker) ?? 0n
  if (earned === 0n) return
  rewards.pay(earned, info.delegationRewardsOwner!, commit)
  new Rewards(info, staker).pay(earned, info.delegationRewardsOwner!, abort)
}

/** The delegator's part, and the validator's: paid at once, or from Cortina on kept until the validator leaves. */
function rewardDelegator(run: Run, info: StakerInfo, staker: Staker, commit: Diff): void {
  const validator = commit.get(tables.currentValidators, staker)
  const validatorInfo = validator && run.stakerInfo(validator.txID)
  if (!validator || !validatorInfo?.delegationRewardsOwner) throw txError("tx.no_validator_to_reward", { nodeID: staker.nodeID })
  const { delegator, delegatee } = splitReward(staker.potentialReward, validatorInfo.shares)
  const rewards = new Rewards(info, staker)
  if (delegator > 0n) rewards.pay(delegator, info.rewardsOwner!, commit)
  if (delegatee === 0n) return
  if (isActive(run.env.upgrades, "cortina", validator.startTime)) {
    commit.put(tables.delegateeRewards, staker, add64(commit.get(tables.delegateeRewards, staker) ?? 0n, delegatee))
  } else {
    rewards.pay(delegatee, validatorInfo.delegationRewardsOwner, commit)
  }
}

/** Numbers the rewards of one staker on after its transaction's outputs and stake. */
class Rewards {
  readonly #info: StakerInfo
  readonly #staker: Staker
  #paid = 0

  constructor(info: StakerInfo, staker: Staker) {
    this.#info = info
    this.#staker = staker
  }

  pay(amount: bigint, { locktime, threshold, addresses }: OutputOwners, diff: Diff): void {
    const { txID } = this.#staker
    const { outputCount, stake } = this.#info
    const outputIndex = outputCount + stake.length + this.#paid++
    const output = { kind: "TransferOutput" as const, amount, locktime, threshold, addresses }
    const utxo = { txID, outputIndex, assetID: stake[0]!.assetID, output }
    addUtxo({ diff }, utxo)
    diff.insert(tables.rewardUtxos, { txID, outputIndex }, utxo)
  }
}
