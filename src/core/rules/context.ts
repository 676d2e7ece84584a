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

/** The rules of a chain: its network, its upgrade schedule and its parameters. */
export interface Rules {
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
  /** Whether imports must exist in shared memory. A node that catches up does not check this. */
  readonly checksImports: boolean
  /** Whether signatures and proofs of possession count as valid without being verified. */
  readonly trustSignatures: boolean
  /** Returns whether signatures of an owner are not verified, because anyone may act for it on a private chain. */
  readonly isImpersonated?: ((owner: Address) => boolean) | undefined
  /** Verifies a proof of possession, perhaps by a cache; the back end does it by default. Throws `crypto.bls_*`. */
  verifyPossession?(publicKey: Uint8Array, proof: Uint8Array): void
  /** The address (hex) whose key made a signature over a hash. Throws `crypto.signature_*`. */
  signerOf(hash: Uint8Array, signature: Uint8Array): string
}

/** The context in which one transaction is executed. */
export interface TxContext {
  readonly blockContext: BlockContext
  /** The diff that receives its changes. */
  readonly diff: Diff
  readonly txID: ID
  readonly credentials: readonly Verifiable[]
  /** SHA-256 of the unsigned bytes: what credentials sign. */
  signingHash(): Uint8Array
  /** Returns the fee of the transaction at the block's price, nAVAX; zero before Etna. */
  fee(): bigint
  /** The chain's time while it runs, Unix seconds. */
  readonly chainTime: bigint
  /** The UTXOs that it takes from other chains: no two transactions may take the same. */
  readonly imports: Set<ID>
  /** Whether a validator may return in the diff that removed it: from Helicon on, and never in the blocks before Banff. */
  readonly mayReturn: boolean
  /** Returns the accepted transaction with this ID, if there is one. */
  accepted(txID: ID): AcceptedTx | undefined
}

/** An accepted transaction, as far as others depend on it. */
export interface AcceptedTx {
  readonly kind: string
  /** The staker that it made, if it made one. */
  readonly staker: StakerInfo | undefined
}

/** The staker that a transaction creates. */
export interface StakerInfo {
  readonly role: "validator" | "delegator"
  readonly nodeID: NodeID
  readonly subnetID: ID
  /** The compressed BLS key, if it has one. */
  readonly publicKey: Uint8Array | undefined
  readonly weight: bigint
  /** Unix seconds; from Durango on nobody reads it. */
  readonly start: bigint
  /** Unix seconds. Zero for an auto-renewed validator: only the state knows when its cycle ends. */
  readonly end: bigint
  readonly pendingPriority: number
  readonly currentPriority: number
  /** Number of ordinary outputs of the transaction. Stake and rewards are numbered after them. */
  readonly outputCount: number
  /** Outputs that return at the end; none for permissioned validators. */
  readonly stake: readonly TransferableOutput[]
  /** Owner of the reward for validating or delegating; none for permissioned validators. */
  readonly rewardsOwner: OutputOwners | undefined
  /** Owner of the validator's share of its delegators' rewards. */
  readonly delegationRewardsOwner: OutputOwners | undefined
  /** The validator's share of its delegators' rewards, in millionths. */
  readonly shares: number
  /** Owners who may change the configuration of an auto-renewed validator; other stakers have none. */
  readonly authority?: OutputOwners
}

/** Whether an upgrade is active at the time of the state. */
export function isActiveNow(
  { blockContext, chainTime }: Pick<TxContext, "blockContext" | "chainTime">,
  name: UpgradeName,
): boolean {
  return isActive(blockContext.upgrades, name, chainTime)
}

/** The chain's time, Unix seconds. */
export function chainTimeOf(view: View): bigint {
  const time = view.get(tables.timestamp, null)
  if (time === undefined) throw new Error("the state has no time: genesis was never applied")
  return time
}
