import type { JsonOf, JsonWriter, TypeOf } from "../../../core/codec/schema.js"
import { compressKey } from "../../../core/crypto/compressKey.js"
import { bool, described, optional } from "../../../jsonrpc/schema/kinds.js"
import { u32Text, u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { choice, converted, inOnePart, joined, percent, rows } from "../../../jsonrpc/schema/outputs.js"
import { hex, id, nodeID } from "../../kinds.js"
import { ownerOutput, pChainOwnerOutput } from "../owners.js"

/** The members that every staker has. Times are Unix seconds. */
const stakerMembers = { txID: id, startTime: u64, endTime: u64, weight: u64, nodeID }

const signerOutput = object({ publicKey: hex, proofOfPossession: hex, proofOfPosession: optional(hex) })

/** The members of a validator's record that do not change while it stakes, or until its next cycle. */
const fixedMembers = {
  ...stakerMembers,
  stakeAmount: optional(u64),
  validationRewardOwner: optional(ownerOutput),
  rewardOwner: optional(ownerOutput),
  delegationRewardOwner: optional(ownerOutput),
  potentialReward: optional(u64),
  delegationFee: optional(percent),
  delegationFeeRate: optional(percent),
  signer: optional(signerOutput),
  validatorAuthority: optional(
    described(ownerOutput, "The owner that can change the configuration of an auto-renewed validator."),
  ),
}
export const fixedOutput = object(fixedMembers)

/** A delegator of a validator. */
export const delegatorOutput = object({
  ...stakerMembers,
  stakeAmount: optional(u64),
  rewardOwner: ownerOutput,
  potentialReward: u64,
})

/** The members of a validator's record that change with delegations, rewards and connections. */
const changingMembers = {
  accruedDelegateeReward: optional(u64),
  uptime: optional(percent),
  connected: optional(bool),
  nextPeriod: optional(
    described(u64, "The length of the next cycle in seconds. With 0 the validator leaves at the end of the current cycle."),
  ),
  autoCompoundRewardShares: optional(described(u32Text, "The share of this cycle's rewards that is restaked, in millionths.")),
  delegatorCount: optional(u64),
  delegatorWeight: optional(u64),
  delegators: optional(rows(inOnePart(delegatorOutput))),
}
export const changingOutput = object(changingMembers)

/** A validator of the primary network, or of a permissioned or elastic subnet. */
const stakerOutput = joined(fixedOutput, changingOutput)

/** The members of an L1 validator's record. */
export const l1Members = {
  txID: optional(described(id, "The ID of the transaction that added the staker.")),
  nodeID,
  weight: u64,
  startTime: described(u64, "The start time in Unix seconds."),
  validationID: id,
  publicKey: converted(hex, compressKey),
  remainingBalanceOwner: pChainOwnerOutput,
  deactivationOwner: pChainOwnerOutput,
  minNonce: u64,
  balance: u64,
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
