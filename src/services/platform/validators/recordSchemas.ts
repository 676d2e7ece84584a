import type { JsonOf, JsonWriter, TypeOf } from "../../../core/codec/schema.js"
import { compressKey } from "../../../core/crypto/compressKey.js"
import { bool, described, optional } from "../../../jsonrpc/schema/kinds.js"
import { u32Text, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { choice, converted, joined, percent, rows } from "../../../jsonrpc/schema/outputs.js"
import { hex, id, nodeID } from "../../kinds.js"
import { ownerOutput, pChainOwnerOutput } from "../owners.js"

/** The members that every staker has. Times are Unix seconds. */
const stakerMembers = {
  txID: described(id, "The ID of the transaction that added the staker."),
  startTime: described(u64, "The start time in Unix seconds."),
  endTime: described(u64, "The end time in Unix seconds."),
  weight: described(u64, "The stake in nAVAX on the primary network, otherwise the weight that the subnet gives."),
  nodeID,
}

const stake = optional(described(u64, "The staked amount in nAVAX."))
const REWARD = "The reward in nAVAX that is paid at the end, if the uptime suffices."

const signerOutput = object({ publicKey: hex, proofOfPossession: hex, proofOfPosession: optional(hex) })

/** The members of a validator's record that do not change while it stakes, or until its next cycle. */
const fixedMembers = {
  ...stakerMembers,
  stakeAmount: stake,
  validationRewardOwner: optional(ownerOutput),
  rewardOwner: optional(ownerOutput),
  delegationRewardOwner: optional(ownerOutput),
  potentialReward: optional(described(u64, REWARD)),
  delegationFee: optional(described(percent, "The share of its delegators' rewards that the validator gets, in percent.")),
  delegationFeeRate: optional(described(percent, "The same share under another name.")),
  signer: optional(signerOutput),
  validatorAuthority: optional(
    described(ownerOutput, "The owner that can change the configuration of an auto-renewed validator."),
  ),
}
export const fixedOutput = object(fixedMembers)

/** A delegator of a validator. */
export const delegatorOutput = object({
  ...stakerMembers,
  stakeAmount: stake,
  rewardOwner: ownerOutput,
  potentialReward: described(u64, REWARD),
})

/** The members of a validator's record that change with delegations, rewards and connections. */
const changingMembers = {
  accruedDelegateeReward: optional(
    described(u64, "The share of delegators' rewards so far, in nAVAX, which is paid at the end."),
  ),
  uptime: optional(described(percent, "The uptime as this node has seen it, in percent.")),
  connected: optional(described(bool, "Whether this node is connected to the validator.")),
  nextPeriod: optional(
    described(u64, "The length of the next cycle in seconds. With 0 the validator leaves at the end of the current cycle."),
  ),
  autoCompoundRewardShares: optional(described(u32Text, "The share of this cycle's rewards that is restaked, in millionths.")),
  restakedValidationRewards: optional(
    described(u64, "The sum of its own rewards that an auto-renewed validator has restaked so far, in nAVAX."),
  ),
  restakedDelegateeRewards: optional(
    described(u64, "The sum of its shares of delegators' rewards that an auto-renewed validator has restaked so far, in nAVAX."),
  ),
  delegatorCount: optional(described(u64, "The number of delegators.")),
  delegatorWeight: optional(described(u64, "The stake of all delegators together, in nAVAX.")),
  delegators: optional(rows(delegatorOutput)),
}
export const changingOutput = object(changingMembers)

/** A validator of the primary network, or of a permissioned or elastic subnet. */
const stakerOutput = joined(fixedOutput, changingOutput)

/** The members of an L1 validator's record. */
export const l1Members = {
  txID: optional(described(id, "The ID of the transaction that added the staker.")),
  nodeID,
  weight: described(u64, "The weight in the L1, a number without a unit."),
  startTime: described(u64, "The start time in Unix seconds."),
  validationID: id,
  publicKey: converted(hex, compressKey),
  remainingBalanceOwner: pChainOwnerOutput,
  deactivationOwner: pChainOwnerOutput,
  minNonce: described(u64, "The smallest nonce that the next message about the weight may have."),
  balance: described(u64, "The balance in nAVAX from which the fee is paid; 0 for an inactive validator."),
}
export const l1ValidatorOutput = object(l1Members)

type StakerJson = JsonOf<typeof stakerOutput>
type L1ValidatorJson = JsonOf<typeof l1ValidatorOutput>
type Without<A, B> = { readonly [K in Exclude<keyof A, keyof B>]?: undefined }
/** Both kinds with the members of both, so that a caller may read a member without testing the kind first. */
type ValidatorJson =
  | (StakerJson & Without<L1ValidatorJson, StakerJson>)
  | (L1ValidatorJson & Without<StakerJson, L1ValidatorJson>)

/** A validator of any kind. */
export const validatorOutput: JsonWriter<TypeOf<typeof l1ValidatorOutput> | TypeOf<typeof stakerOutput>, ValidatorJson> = choice(
  (value): value is TypeOf<typeof l1ValidatorOutput> => "validationID" in value,
  l1ValidatorOutput,
  stakerOutput,
)
