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

/** What is the same for every block of a chain: its network, and the rules that its schedule and numbers give. */
export interface Rules {
  readonly networkID: number
  readonly avaxAssetID: ID
  readonly params: Params
  readonly upgrades: Upgrades
}

/** What a block is executed with, besides the state. */
export interface Env extends Rules {
  /** The local clock in Unix seconds. Lock times are held against it, never against the chain's time. */
  readonly now: bigint
  /** The state of the last accepted block: chains of other subnets are looked up there. */
  readonly lastAccepted: View
  /** Whether imports are held against what waits for us from other chains; a node that catches up does not. */
  readonly checksImports: boolean
  /** True where signatures and proofs of possession are taken on trust. */
  readonly trustSignatures: boolean
  /** Owners whose signatures are taken on trust: on a private chain anyone may act for them. */
  readonly impersonated?: ReadonlySet<Address> | undefined
  /** Checks a proof of possession, perhaps from memory; left out: the back end is asked. Throws `crypto.bls_*`. */
  verifyPossession?(publicKey: Uint8Array, proof: Uint8Array): void
  /** Who signed: the address (hex) that a signature over a hash was made for. Throws `crypto.signature_*`. */
  signerOf(hash: Uint8Array, signature: Uint8Array): string
}

/** One transaction being executed. */
export interface Run {
  readonly env: Env
  /** What it changes. */
  readonly diff: Diff
  readonly txID: ID
  readonly credentials: readonly Verifiable[]
  /** SHA-256 of the unsigned bytes: what credentials sign. */
  signingHash(): Uint8Array
  /** What the transaction costs at the block's price, nAVAX; zero before Etna. */
  fee(): bigint
  /** The chain's time while it runs, Unix seconds. */
  readonly chainTime: bigint
  /** The UTXOs that it takes from other chains: no two transactions may take the same. */
  readonly imports: Set<ID>
  /** Whether a validator may return in the diff that removed it: from Helicon on, and never in the blocks before Banff. */
  readonly mayReturn: boolean
  /** What is known of an accepted transaction; `undefined` where there is none with this ID. */
  accepted(txID: ID): AcceptedTx | undefined
}

/** An accepted transaction, as far as others depend on it. */
export interface AcceptedTx {
  readonly kind: string
  /** The staker that it made, if it made one. */
  readonly staker: StakerInfo | undefined
}

/** What a transaction says of the staker it makes. */
export interface StakerInfo {
  readonly role: "validator" | "delegator"
  readonly nodeID: NodeID
  readonly subnetID: ID
  /** The compressed BLS key in a list of one, or none. */
  readonly publicKey: readonly Uint8Array[]
  readonly weight: bigint
  /** Unix seconds; from Durango on nobody reads it. */
  readonly start: bigint
  /** Unix seconds. Zero for an auto-renewed validator: only the state knows when its cycle ends. */
  readonly end: bigint
  readonly pendingPriority: number
  readonly currentPriority: number
  /** How many ordinary outputs the transaction has: stake and rewards are numbered after them. */
  readonly outputCount: number
  /** What comes back at the end; nothing for permissioned validators. */
  readonly stake: readonly TransferableOutput[]
  /** Who is paid for validating or delegating; nobody for permissioned validators. */
  readonly rewardsOwner: OutputOwners | undefined
  /** Who is paid for what others delegate. */
  readonly delegationRewardsOwner: OutputOwners | undefined
  /** What a validator keeps of its delegators' rewards, in millionths. */
  readonly shares: number
  /** Who may change the configuration of an auto-renewed validator; others have none. */
  readonly authority?: OutputOwners
}

/** Whether an upgrade is active at the time of the state. */
export function isActiveNow({ env, chainTime }: Pick<Run, "env" | "chainTime">, name: UpgradeName): boolean {
  return isActive(env.upgrades, name, chainTime)
}

/** The chain's time, Unix seconds. */
export function chainTimeOf(view: View): bigint {
  const time = view.get(tables.timestamp, null)
  if (time === undefined) throw new Error("the state has no time: genesis was never applied")
  return time
}
