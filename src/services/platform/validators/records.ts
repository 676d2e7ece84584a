import type { TypeOf } from "../../../core/codec/schema.js"
import { delegationsOf, type FoundL1Validator, stakerDetails } from "../../../core/readmodel/currentValidators.js"
import { readTables } from "../../../core/readmodel/tables.js"
import { accruedFeesOf } from "../../../core/rules/chainTime.js"
import { isPermissioned, type Staker } from "../../../core/state/staker.js"
import { tables } from "../../../core/state/tables.js"
import { requireStaker } from "../../../core/txs/execute.js"
import { PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import type { OutputOwners } from "../../../core/types/owners.js"
import type { Context } from "../../context.js"
import type { changingOutput, delegatorOutput, fixedOutput, l1ValidatorOutput } from "./recordSchemas.js"

type StakerPart = Pick<Staker, "txID" | "startTime" | "endTime" | "weight" | "nodeID">

function stakerPart(
  { txID, startTime, endTime, weight, nodeID }: Staker,
  { dialect }: Context,
): StakerPart & { stakeAmount?: bigint } {
  const part = { txID, startTime, endTime, weight, nodeID }
  return dialect === "contract" ? { ...part, stakeAmount: weight } : part
}

/** Returns the part of a validator's record that does not change while it stakes, or until its next cycle. */
export function fixedFields(staker: Staker, context: Context): TypeOf<typeof fixedOutput> {
  const { txID, startTime, endTime, weight, nodeID } = staker
  if (isPermissioned(staker.priority)) return { txID, startTime, endTime, weight, nodeID }
  const { rewardsOwner, delegationRewardsOwner, shares, proof, authority } = stakerDetails(context.view, staker)
  const isContract = context.dialect === "contract"
  const delegationFee = Math.fround(Math.fround(100 * Math.fround(shares)) / 1_000_000)
  const { publicKey, proofOfPossession } = proof ?? {}
  return {
    ...stakerPart(staker, context),
    validationRewardOwner: rewardsOwner as OutputOwners,
    rewardOwner: rewardsOwner as OutputOwners,
    delegationRewardOwner: delegationRewardsOwner as OutputOwners,
    potentialReward: staker.potentialReward,
    delegationFee,
    ...(isContract ? { delegationFeeRate: delegationFee } : {}),
    ...(publicKey && proofOfPossession
      ? { signer: { publicKey, proofOfPossession, ...(isContract ? { proofOfPosession: proofOfPossession } : {}) } }
      : {}),
    ...(authority ? { validatorAuthority: authority } : {}),
  }
}

/** Returns the part of the record that changes with delegations, rewards and connections; empty for permissioned validators. */
export function changingFields(staker: Staker, context: Context): TypeOf<typeof changingOutput> {
  if (isPermissioned(staker.priority)) return {}
  const { view } = context
  const { count, weight } = delegationsOf(view, staker)
  return {
    accruedDelegateeReward: view.get(tables.delegateeRewards, staker) ?? 0n,
    ...(staker.subnetID === PRIMARY_NETWORK_ID ? { ...seenPart(staker, context), ...renewalPart(staker, context) } : {}),
    delegatorCount: count,
    delegatorWeight: weight,
  }
}

function seenPart({ nodeID }: Staker, { node }: Context) {
  const { uptime, connected } = node.uptimeOf(nodeID) ?? { uptime: 0, connected: false }
  return { uptime: Math.fround(uptime * 100), connected }
}

/** Returns the fields that only an auto-renewed validator has: its configuration, and what it has restaked. */
function renewalPart(staker: Staker, { view }: Context) {
  const renewal = view.get(tables.renewals, staker)
  if (!renewal) return {}
  const { nextPeriod, autoCompoundRewardShares, accruedValidationRewards, accruedDelegateeRewards } = renewal
  return {
    ...{ nextPeriod, autoCompoundRewardShares },
    ...{ restakedValidationRewards: accruedValidationRewards, restakedDelegateeRewards: accruedDelegateeRewards },
  }
}

/** Returns the record of a delegator. */
export function delegatorRecord(delegator: Staker, context: Context): TypeOf<typeof delegatorOutput> {
  const { rewardsOwner } = requireStaker(context.view, delegator.txID)
  const { potentialReward } = delegator
  return { ...stakerPart(delegator, context), rewardOwner: rewardsOwner as OutputOwners, potentialReward }
}

/** Returns the record of an L1 validator. */
export function l1Record(validator: FoundL1Validator, context: Context): TypeOf<typeof l1ValidatorOutput> {
  const { validationID, nodeID, weight, startTime, publicKey, remainingBalanceOwner, deactivationOwner, minNonce } = validator
  const { endAccumulatedFee } = validator
  const creator = context.dialect === "contract" ? context.view.get(readTables.l1ValidatorTxs, validationID) : undefined
  const balance = endAccumulatedFee === 0n ? 0n : endAccumulatedFee - accruedFeesOf(context.view)
  const record = {
    nodeID,
    weight,
    startTime,
    validationID,
    publicKey,
    remainingBalanceOwner,
    deactivationOwner,
    minNonce,
    balance,
  }
  return creator === undefined ? record : { txID: creator, ...record }
}
