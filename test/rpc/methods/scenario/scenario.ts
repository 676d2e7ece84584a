import { AVAX } from "../../../../src/core/networks/params.js"
import { type ID, type NodeID, PRIMARY_NETWORK_ID } from "../../../../src/core/types/id.js"
import type { DevIdentity } from "../../../../src/producer/keys/identities.js"
import { addressOfByte } from "../../../fixtures/txs.js"
import { COIN, ownerOf, type Payer, payer } from "../payer.js"
import type { RunningNode } from "../runningNode.js"

/** An address that owns UTXOs of every kind. */
export const friend = addressOfByte(0x11)

/** The actors and values from which the chain is made. */
export interface Scenario {
  readonly node: RunningNode
  readonly payer: Payer
  /** The local network's own nodes, beginning with the called one. */
  readonly locals: readonly NodeID[]
  /** Makes a node that exists only as keys. */
  newNode(): Promise<DevIdentity>
}

/** The period (Unix seconds) and the amount of a stake with a node. */
export interface Stake {
  readonly nodeID: NodeID
  readonly start?: bigint
  readonly end: bigint
  readonly weight: bigint
  /** COINs are staked on any other subnet. */
  readonly subnetID?: ID
}

/** Returns the fields that validators and delegators share, and the payment for them. The stake returns to `owner`. */
export function stakeOf({ payer: purse }: Scenario, stake: Stake, owner = payer) {
  const { nodeID, start = 0n, end, weight, subnetID = PRIMARY_NETWORK_ID } = stake
  const isPrimary = subnetID === PRIMARY_NETWORK_ID
  const fields = {
    validator: { nodeID, start, end, weight },
    subnetID,
    stake: [purse.output(weight, ownerOf(owner), {}, isPrimary ? undefined : COIN)],
  }
  return { fields, payment: isPrimary ? { amount: weight } : { coins: weight } }
}

/** A validator with a BLS key on the primary network and none elsewhere; its rewards go to the friend, its fees to the payer. */
export function addValidator(act: Scenario, stake: Stake, node?: DevIdentity) {
  const { fields, payment } = stakeOf(act, stake)
  const signer = node
    ? { kind: "ProofOfPossession" as const, publicKey: node.publicKey, proofOfPossession: node.proofOfPossession }
    : { kind: "EmptySigner" as const }
  const owners = { validationRewardsOwner: ownerOf(friend), delegationRewardsOwner: ownerOf(payer) }
  return act.payer.issue("AddPermissionlessValidatorTx", { ...fields, signer, ...owners, shares: 25_000 }, payment)
}

/** A delegation of the friend. */
export function addDelegator(act: Scenario, stake: Stake) {
  const { fields, payment } = stakeOf(act, stake, friend)
  return act.payer.issue("AddPermissionlessDelegatorTx", { ...fields, rewardsOwner: ownerOf(friend) }, payment)
}

export const authorized = { subnetAuthorization: { kind: "Input" as const, signatureIndices: [0] } }

export const MIN_STAKE = 2_000n * AVAX
