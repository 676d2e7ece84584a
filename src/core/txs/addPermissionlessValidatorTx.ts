import { list } from "../codec/list.js"
import { u32 } from "../codec/primitives.js"
import type { ValueOf } from "../codec/struct.js"
import { withStep } from "../lib/invalid.js"
import { BASE_SIZE, dimensions, outputsComplexity, ownerComplexity, signerComplexity } from "../rules/complexity.js"
import type { StakerInfo } from "../rules/context.js"
import {
  checkDuration,
  checkIsNoValidator,
  checkStakeAsset,
  checkStartTime,
  checkValidatesPrimaryNetwork,
  checkValidatorLimits,
  periodOf,
  recordStaker,
  validatorRulesFor,
} from "../rules/staking.js"
import { checkPossession } from "../rules/verifiable.js"
import { Priority } from "../state/staker.js"
import { EMPTY_NODE_ID, id, PRIMARY_NETWORK_ID } from "../types/id.js"
import { transferableOutput } from "../types/output.js"
import { checkOwner, owner } from "../types/owners.js"
import { signer } from "../types/signer.js"
import { validator } from "../types/validator.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { FLOW_CHECK, requirePaid } from "./spend.js"
import { checkShares, checkStake, checkWeight } from "./stake.js"

const fields = {
  ...baseFields,
  validator,
  subnetID: id,
  signer,
  stake: list(transferableOutput),
  validationRewardsOwner: owner,
  delegationRewardsOwner: owner,
  shares: u32,
}

type Body = ValueOf<typeof fields>

/** Stakes to validate the primary network, or a transformed subnet. From Banff. */
export const addPermissionlessValidatorTx = defineTx({
  kind: "AddPermissionlessValidatorTx",
  typeID: 25,
  fields,

  check(tx, context) {
    if (tx.validator.nodeID === EMPTY_NODE_ID) throw txError("tx.empty_node_id")
    if (tx.stake.length === 0) throw txError("tx.no_stake")
    checkShares(tx.shares)
    withStep("failed to verify BaseTx: ", () => checkBase(tx, context))
    withStep("failed to verify validator, signer, or rewards owners: ", () => {
      checkWeight(tx.validator)
      if (tx.signer.kind === "ProofOfPossession") checkPossession(tx.signer, context)
      checkOwner(tx.validationRewardsOwner)
      checkOwner(tx.delegationRewardsOwner)
    })
    const hasKey = tx.signer.kind === "ProofOfPossession"
    const isPrimaryNetwork = tx.subnetID === PRIMARY_NETWORK_ID
    if (hasKey !== isPrimaryNetwork) throw txError("tx.wrong_signer", { hasKey, isPrimaryNetwork })
    checkStake(tx.stake, tx.validator.weight, "tx.stake_weight_mismatch")
  },

  staker: stakerOf,

  intrinsic: dimensions(BASE_SIZE + 96, 1, 3),

  parts: (tx) => [
    signerComplexity(tx.signer),
    outputsComplexity(tx.stake),
    ownerComplexity(tx.validationRewardsOwner),
    ownerComplexity(tx.delegationRewardsOwner),
  ],

  execute(tx, context) {
    const period = periodOf(context, tx.validator)
    checkStartTime(context, period.start)
    const limits = validatorRulesFor(context.diff, context.blockContext, tx.subnetID)
    const { weight, nodeID } = tx.validator
    checkValidatorLimits(weight, tx.shares, limits)
    checkDuration(period.duration, limits)
    checkStakeAsset(limits.assetID, tx.stake[0]!.assetID)
    const key = { subnetID: tx.subnetID, nodeID }
    checkIsNoValidator(context.diff, key, (node, subnet) => `duplicate validator: ${node} on ${subnet}`)
    if (tx.subnetID !== PRIMARY_NETWORK_ID) checkValidatesPrimaryNetwork(context, nodeID, period)
    requirePaid(context, tx, { more: tx.stake, step: FLOW_CHECK })
    recordStaker(context, stakerOf(tx))
  },
})

function stakerOf(tx: Body): StakerInfo {
  const isPrimary = tx.subnetID === PRIMARY_NETWORK_ID
  return {
    role: "validator",
    ...tx.validator,
    subnetID: tx.subnetID,
    publicKey: tx.signer.kind === "ProofOfPossession" ? tx.signer.publicKey : undefined,
    pendingPriority: isPrimary ? Priority.primaryValidatorPending : Priority.subnetPermissionlessValidatorPending,
    currentPriority: isPrimary ? Priority.primaryValidatorCurrent : Priority.subnetPermissionlessValidatorCurrent,
    outputCount: tx.outputs.length,
    stake: tx.stake,
    rewardsOwner: tx.validationRewardsOwner,
    delegationRewardsOwner: tx.delegationRewardsOwner,
    shares: tx.shares,
  }
}
