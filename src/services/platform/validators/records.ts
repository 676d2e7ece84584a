import { compressKey } from "../../../core/crypto/compressKey.js"
import type { Json } from "../../../core/lib/json.js"
import { delegationsOf, delegatorsTo, type FoundL1Validator, stakerDetails } from "../../../core/readmodel/currentValidators.js"
import { readTables } from "../../../core/readmodel/tables.js"
import { accruedFeesOf } from "../../../core/rules/chainTime.js"
import { isPermissioned, type Staker } from "../../../core/state/staker.js"
import { tables } from "../../../core/state/tables.js"
import { toHexText } from "../../../core/types/hexText.js"
import { idText, nodeIDText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import type { OutputOwners } from "../../../core/types/owners.js"
import { answer } from "../../../jsonrpc/result.js"
import type { Context } from "../../context.js"
import { ownerAnswer, ownerOf } from "../owners.js"

/** A part of a record, as JSON. */
export type Part = { readonly [member: string]: Json }

const { digits, optional } = answer

/** What every staker has. Times are Unix seconds. */
const stakerMembers = {
  txID: answer.id,
  startTime: digits,
  endTime: digits,
  weight: digits,
  nodeID: answer.nodeID,
}

const delegatorAnswer = answer.object({
  ...stakerMembers,
  stakeAmount: optional(digits),
  rewardOwner: optional(ownerAnswer),
  potentialReward: digits,
})

/** What an L1 validator has, besides what others have too. */
export const l1Members = {
  validationID: answer.id,
  publicKey: answer.hex,
  remainingBalanceOwner: ownerAnswer,
  deactivationOwner: ownerAnswer,
  minNonce: digits,
  balance: digits,
}

/** A validator of any kind: of the primary network, of a permissioned or elastic subnet, or of an L1. */
export const validatorAnswer = answer.object({
  ...stakerMembers,
  txID: optional(answer.id),
  endTime: optional(digits),
  stakeAmount: optional(digits),
  validationRewardOwner: optional(ownerAnswer),
  rewardOwner: optional(ownerAnswer),
  delegationRewardOwner: optional(ownerAnswer),
  potentialReward: optional(digits),
  accruedDelegateeReward: optional(digits),
  delegationFee: optional(answer.percent),
  delegationFeeRate: optional(answer.percent),
  uptime: optional(answer.percent),
  connected: optional(answer.bool),
  signer: optional(
    answer.object({ publicKey: answer.hex, proofOfPossession: answer.hex, proofOfPosession: optional(answer.hex) }),
  ),
  validatorAuthority: optional(answer.described(ownerAnswer, "who may change the configuration of an auto-renewed validator")),
  nextPeriod: optional(answer.described(digits, "seconds of its next cycle; 0: it leaves at the end of this one")),
  autoCompoundRewardShares: optional(answer.described(digits, "what it restakes of this cycle's rewards, in millionths")),
  delegatorCount: optional(digits),
  delegatorWeight: optional(digits),
  delegators: optional(answer.list(delegatorAnswer)),
  validationID: optional(l1Members.validationID),
  publicKey: optional(l1Members.publicKey),
  remainingBalanceOwner: optional(l1Members.remainingBalanceOwner),
  deactivationOwner: optional(l1Members.deactivationOwner),
  minNonce: optional(l1Members.minNonce),
  balance: optional(l1Members.balance),
})

function stakerPart({ txID, startTime, endTime, weight, nodeID }: Staker) {
  return {
    txID: idText(txID),
    startTime: startTime.toString(),
    endTime: endTime.toString(),
    weight: weight.toString(),
    nodeID: nodeIDText(nodeID),
  }
}

/** What stays of a validator's record as long as it stakes, or until its next cycle. */
export function lastingPart(staker: Staker, context: Context): Part {
  const part = stakerPart(staker)
  if (isPermissioned(staker.priority)) return part
  const { rewardsOwner, delegationRewardsOwner, shares, proof, authority } = stakerDetails(context.view, staker)
  const validationRewardOwner = ownerOf(rewardsOwner as OutputOwners, context)
  const isContract = context.dialect === "contract"
  const delegationFee = percent(Math.fround(Math.fround(100 * Math.fround(shares)) / 1_000_000))
  const pop = proof && toHexText(proof.proofOfPossession, "hexnc")
  const signer = proof && pop && { publicKey: toHexText(proof.publicKey, "hexnc"), proofOfPossession: pop }
  return {
    ...part,
    ...(isContract ? { stakeAmount: part.weight } : {}),
    validationRewardOwner,
    rewardOwner: validationRewardOwner,
    delegationRewardOwner: ownerOf(delegationRewardsOwner as OutputOwners, context),
    potentialReward: staker.potentialReward.toString(),
    delegationFee,
    ...(isContract ? { delegationFeeRate: delegationFee } : {}),
    ...(signer ? { signer: isContract ? { ...signer, proofOfPosession: pop as string } : signer } : {}),
    ...(authority ? { validatorAuthority: ownerOf(authority, context) } : {}),
  }
}

/** What changes of it with delegations, rewards and connections; nothing for permissioned validators. */
export function passingPart(staker: Staker, context: Context): Part {
  if (isPermissioned(staker.priority)) return {}
  const { view } = context
  const { count, weight } = delegationsOf(view, staker)
  return {
    accruedDelegateeReward: (view.get(tables.delegateeRewards, staker) ?? 0n).toString(),
    ...(staker.subnetID === PRIMARY_NETWORK_ID ? { ...seenPart(staker, context), ...renewalPart(staker, context) } : {}),
    delegatorCount: count.toString(),
    delegatorWeight: weight.toString(),
  }
}

function seenPart({ nodeID }: Staker, { node }: Context) {
  const { uptime, connected } = node.uptimeOf(nodeID) ?? { uptime: 0, connected: false }
  return { uptime: percent(Math.fround(uptime * 100)), connected }
}

/** What a transaction may change of an auto-renewed validator. */
function renewalPart(staker: Staker, { view }: Context) {
  const renewal = view.get(tables.renewals, staker)
  if (!renewal) return {}
  const { nextPeriod, autoCompoundRewardShares } = renewal
  return { nextPeriod: nextPeriod.toString(), autoCompoundRewardShares: autoCompoundRewardShares.toString() }
}

/** Four decimals. */
const percent = (value: number): string => value.toFixed(4)

/** The delegators of a validator, one by one; nothing for permissioned validators. */
export function delegatorsPart(staker: Staker, context: Context): Part {
  if (isPermissioned(staker.priority)) return {}
  const delegators = [...delegatorsTo(context.view, staker)].map((delegator) => {
    const { rewardsOwner } = stakerDetails(context.view, delegator)
    const rewardOwner = ownerOf(rewardsOwner as OutputOwners, context)
    const part = stakerPart(delegator)
    const stakeAmount = context.dialect === "contract" ? { stakeAmount: part.weight } : {}
    return { ...part, ...stakeAmount, rewardOwner, potentialReward: delegator.potentialReward.toString() }
  })
  return { delegators }
}

/** An L1 validator's record. */
export function l1Record(validator: FoundL1Validator, context: Context) {
  const { validationID, endAccumulatedFee } = validator
  const creator = context.dialect === "contract" ? context.view.get(readTables.l1ValidatorTxs, validationID) : undefined
  return {
    ...(creator === undefined ? {} : { txID: idText(creator) }),
    nodeID: nodeIDText(validator.nodeID),
    weight: validator.weight.toString(),
    startTime: validator.startTime.toString(),
    validationID: idText(validationID),
    publicKey: toHexText(compressKey(validator.publicKey), "hexnc"),
    remainingBalanceOwner: ownerOf(validator.remainingBalanceOwner, context),
    deactivationOwner: ownerOf(validator.deactivationOwner, context),
    minNonce: validator.minNonce.toString(),
    balance: (endAccumulatedFee === 0n ? 0n : endAccumulatedFee - accruedFeesOf(context.view)).toString(),
  }
}
