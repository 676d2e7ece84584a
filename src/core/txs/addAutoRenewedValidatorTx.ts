import { list } from "../codec/list.js"
import { bytes, u32, u64 } from "../codec/primitives.js"
import type { ValueOf } from "../codec/struct.js"
import { isZero, toHex } from "../lib/bytes.js"
import { withStep } from "../lib/invalid.js"
import { BASE_SIZE, dimensions, outputsComplexity, ownerComplexity, signerComplexity } from "../rules/complexity.js"
import type { StakerInfo, TxContext } from "../rules/context.js"
import { checkIsNoValidator, checkPeriod, checkValidatorLimits, promiseReward } from "../rules/staking.js"
import { checkPossession } from "../rules/verifiable.js"
import { Priority } from "../state/staker.js"
import { addCurrentStaker } from "../state/stakers.js"
import { tables } from "../state/tables.js"
import { NODE_ID_SIZE, type NodeID, PRIMARY_NETWORK_ID } from "../types/id.js"
import { transferableOutput } from "../types/output.js"
import { checkOwner, owner } from "../types/owners.js"
import { signer } from "../types/signer.js"
import { baseFields, checkBase } from "./base.js"
import { defineTx } from "./defineTx.js"
import { txError } from "./errors.js"
import { FLOW_CHECK, requirePaid } from "./spend.js"
import { checkAutoCompoundShares, checkAutoRenewedStake, checkShares, totalStake } from "./stake.js"

const fields = {
  ...baseFields,
  nodeID: bytes,
  signer,
  stake: list(transferableOutput),
  validationRewardsOwner: owner,
  delegationRewardsOwner: owner,
  /** Owners who may change the configuration. */
  validatorAuthority: owner,
  /** The validator's share of its delegators' rewards, in millionths. */
  delegationShares: u32,
  /** The share of a cycle's rewards that is restaked, in millionths. */
  autoCompoundRewardShares: u32,
  /** The length of a cycle, seconds. */
  period: u64,
}

type Body = ValueOf<typeof fields>

/** Stakes to validate the primary network for a period that repeats until the validator stops or fails. ACP-236, from Helicon. */
export const addAutoRenewedValidatorTx = defineTx({
  kind: "AddAutoRenewedValidatorTx",
  typeID: 40,
  since: "helicon",
  fields,

  check(tx, context) {
    if (tx.stake.length === 0) throw txError("tx.no_stake")
    checkShares(tx.delegationShares)
    checkAutoCompoundShares(tx.autoCompoundRewardShares)
    if (tx.period === 0n) throw txError("tx.missing_period")
    if (tx.nodeID.length !== NODE_ID_SIZE) throw txError("tx.bad_node_id", { size: tx.nodeID.length })
    if (isZero(tx.nodeID)) throw txError("tx.empty_node_id")
    withStep("verifying BaseTx: ", () => checkBase(tx, context))
    withStep("verifying signer, rewards owners or validator authority: ", () => {
      if (tx.signer.kind === "ProofOfPossession") checkPossession(tx.signer, context)
      for (const each of [tx.validationRewardsOwner, tx.delegationRewardsOwner, tx.validatorAuthority]) checkOwner(each)
    })
    if (tx.signer.kind !== "ProofOfPossession") throw txError("tx.missing_signer")
    checkAutoRenewedStake(tx.stake, context.avaxAssetID)
  },

  staker: stakerOf,

  intrinsic: dimensions(BASE_SIZE + 60, 0, 3),

  parts: (tx) => [
    signerComplexity(tx.signer),
    outputsComplexity(tx.stake),
    ownerComplexity(tx.validationRewardsOwner),
    ownerComplexity(tx.delegationRewardsOwner),
    ownerComplexity(tx.validatorAuthority),
  ],

  execute(tx, context) {
    const staker = stakerOf(tx)
    const { nodeID, subnetID, weight } = staker
    checkValidatorLimits(weight, tx.delegationShares, context.blockContext.params.staking)
    checkPeriod(tx.period, context.blockContext)
    checkIsNoValidator(context.diff, { subnetID, nodeID }, (node) => `duplicate validator: ${node}`)
    requirePaid(context, tx, { more: tx.stake, step: FLOW_CHECK, feeStep: "calculating fee: " })
    recordAutoRenewed(context, staker, tx)
  },
})

function stakerOf(tx: Body): StakerInfo {
  return {
    role: "validator",
    nodeID: toHex(tx.nodeID) as NodeID,
    subnetID: PRIMARY_NETWORK_ID,
    publicKey: tx.signer.kind === "ProofOfPossession" ? tx.signer.publicKey : undefined,
    weight: totalStake(tx.stake),
    start: 0n,
    end: 0n,
    pendingPriority: Priority.primaryValidatorPending,
    currentPriority: Priority.primaryValidatorCurrent,
    outputCount: tx.outputs.length,
    stake: tx.stake,
    rewardsOwner: tx.validationRewardsOwner,
    delegationRewardsOwner: tx.delegationRewardsOwner,
    shares: tx.delegationShares,
    authority: tx.validatorAuthority,
  }
}

/** Creates the validator, with the reward of its first cycle computed now. */
function recordAutoRenewed(context: TxContext, staker: StakerInfo, { period, autoCompoundRewardShares }: Body): void {
  const { diff, blockContext, txID, chainTime, mayReturn } = context
  const { nodeID, subnetID, publicKey, weight, currentPriority: priority } = staker
  const endTime = chainTime + period
  const potentialReward = promiseReward(diff, blockContext, subnetID, { start: chainTime, duration: period, weight })
  const times = { startTime: chainTime, endTime, nextTime: endTime }
  const current = { txID, nodeID, subnetID, publicKey, weight, ...times, potentialReward, priority }
  addCurrentStaker(diff, current, { mayReturn, bls: blockContext.crypto.bls })
  const accrued = { accruedValidationRewards: 0n, accruedDelegateeRewards: 0n }
  diff.put(tables.renewals, { subnetID, nodeID }, { ...accrued, autoCompoundRewardShares, nextPeriod: period })
}
