import type { Crypto } from "../crypto/crypto.js"
import type { Params } from "../networks/params.js"
import { isActive, type UpgradeName, type Upgrades } from "../networks/upgrades.js"
import type { Diff } from "../state/diff.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { Address } from "../types/address.js"
import type { ID, NodeID } from "../types/id.js"
import type { TransferableOutput } from "../types/output.js"
import type { OutputOwners } from "../types/owners.js"
import type { Verifiable } from "../types/verifiable.js"

/** The rules of a chain: its network, its upgrade schedule and its parameters, with the curves to verify signatures. */
export interface Rules {
  readonly crypto: Crypto
  readonly networkID: number
  readonly avaxAssetID: ID
  readonly params: Params
  readonly upgrades: Upgrades
}

/** The context in which a block is executed, besides the state. */
export interface BlockContext extends Rules {
  /** The local clock in Unix seconds. Lock times are compared with it, and not with the chain's time. */
  readonly now: bigint
  /** The state after the last accepted block, in which chains of other subnets are looked up. */
  readonly lastAccepted: View
  /** True if imports must exist in shared memory. A node that catches up does not check this. */
  readonly checksImports: boolean
  /** True if signatures and proofs of possession count as valid without being verified. */
  readonly trustSignatures: boolean
  /** Returns whether signatures of an owner are not verified, because anyone may act for it on a private chain. */
  readonly isImpersonated?: ((owner: Address) => boolean) | undefined
  /** Verifies a proof of possession, perhaps with a cache; by default the back end does it. Throws `crypto.bls_*`. */
  readonly verifyPossession?: ((publicKey: Uint8Array, proof: Uint8Array) => void) | undefined
  /** Returns the address (hex) whose key made a signature of a transaction. `signingHash` is called if it is needed. Throws `crypto.signature_*`. */
  signerOf(txID: ID, signature: Uint8Array, signingHash: () => Uint8Array): string
}

export interface TxContext {
  readonly blockContext: BlockContext
  /** The diff that receives its changes. */
  readonly diff: Diff
  readonly txID: ID
  readonly credentials: readonly Verifiable[]
  /** Returns SHA-256 of the unsigned bytes, which credentials sign. */
  signingHash(): Uint8Array
  /** Returns the fee of the transaction at the block's price, nAVAX; zero before Etna. */
  fee(): bigint
  /** The chain's time during the execution, Unix seconds. */
  readonly chainTime: bigint
  /** The UTXOs that it imports from other chains. No two transactions may import the same. */
  readonly imports: Set<ID>
  /** True if a validator may return in the diff that removed it: from Helicon on, and never in the blocks before Banff. */
  readonly mayReturn: boolean
  accepted(txID: ID): AcceptedTx | undefined
}

/** The parts of an accepted transaction that others depend on. */
export interface AcceptedTx {
  readonly kind: string
  readonly staker: StakerInfo | undefined
}

export interface StakerInfo {
  readonly role: "validator" | "delegator"
  readonly nodeID: NodeID
  readonly subnetID: ID
  /** The compressed BLS key, if it has one. */
  readonly publicKey?: Uint8Array | undefined
  readonly weight: bigint
  /** The start in Unix seconds. It is not read from Durango on. */
  readonly start: bigint
  /** The end in Unix seconds; zero for an auto-renewed validator, whose cycle ends at a time in the state. */
  readonly end: bigint
  readonly pendingPriority: number
  readonly currentPriority: number
  /** Number of ordinary outputs of the transaction. Stake and rewards are numbered after them. */
  readonly outputCount: number
  /** Outputs that are returned at the end; none for permissioned validators. */
  readonly stake: readonly TransferableOutput[]
  /** Owner of the reward for validating or delegating; none for permissioned validators. */
  readonly rewardsOwner?: OutputOwners
  /** Owner of the validator's share of its delegators' rewards. */
  readonly delegationRewardsOwner?: OutputOwners
  /** The validator's share of its delegators' rewards, in millionths. */
  readonly shares: number
  /** Owners who may change the configuration of an auto-renewed validator; other stakers have none. */
  readonly authority?: OutputOwners
}

/** Returns whether an upgrade is active at the time of the state. */
export function isActiveNow(
  { blockContext, chainTime }: Pick<TxContext, "blockContext" | "chainTime">,
  name: UpgradeName,
): boolean {
  return isActive(blockContext.upgrades, name, chainTime)
}

/** Returns the chain's time, Unix seconds. */
export function chainTimeOf(view: View): bigint {
  const time = view.get(tables.timestamp, null)
  if (time === undefined) throw new Error("the state has no time: genesis was never applied")
  return time
}
