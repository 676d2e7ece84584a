import type { ID, NodeID } from "../core/types/id.js"
import type { DevIdentity } from "./keys/identities.js"

/** An L1 whose VM is to run in this node. Files of the VM are bytes; omitted ones are the defaults of a developer's chain. */
export interface VMRequest {
  /** The name under which the chain is reached; by default one that is free. */
  readonly name?: string | undefined
  /** The VM: a well-known name such as `subnet-evm`, or its ID. */
  readonly vm: string
  readonly genesis?: Uint8Array | undefined
  readonly config?: Uint8Array | undefined
  readonly upgrades?: Uint8Array | undefined
}

/** A chain that was created on the P-Chain. */
export interface CreatedChain {
  readonly subnetID: ID
  readonly chainID: ID
}

/** A request that was checked and completed. */
export interface PreparedVM {
  readonly name: string
  readonly vmID: ID
  readonly genesis: Uint8Array
  readonly config: Uint8Array
  readonly upgrades: Uint8Array
}

/** A key that owns funds on an L1. */
export interface FundedKey {
  /** The address with the checksum of EIP-55. */
  readonly address: string
  /** `0x` and hex. */
  readonly privateKey: string
}

/** An L1 that this node hosts. */
export interface HostedL1 {
  readonly name: string
  readonly subnetID: ID
  readonly chainID: ID
  readonly vmID: ID
  /** The well-known name of the VM, or its ID. */
  readonly vm: string
  readonly state: "starting" | "running" | "restarting" | "stopped"
  readonly reason: string | undefined
  readonly height: bigint | undefined
  /** The version of the VM, and of the plugin protocol. */
  readonly version: string | undefined
  readonly protocol: number | undefined
  readonly restarts: number
  /** The process of the plugin. */
  readonly pid: number | undefined
  /** Number of bytes of its database. */
  readonly databaseBytes: number
  /** The paths of the VM's handlers, such as `/ext/bc/mine/rpc`. */
  readonly paths: readonly string[]
  /** The chain ID of the EVM, if the genesis has one. */
  readonly evmChainID: bigint | undefined
  /** Publicly known keys that the genesis funds. */
  readonly keys: readonly FundedKey[]
  /** The last lines that the plugin printed. */
  readonly log: readonly string[]
}

/** A message of an ICM contract from one L1 of this node to another. Addresses and hashes of EVM chains are hex with `0x`. */
export interface RelayedMessage {
  /** The ID of the Warp message, and the ID that the contract gives it. */
  readonly messageID: ID
  readonly icmID: string
  /** The ICM contract, which has the same address on both chains. */
  readonly contract: string
  readonly sourceChainID: ID
  readonly destinationChainID: ID
  readonly nonce: bigint
  readonly sender: string
  readonly receiver: string
  /** The height of the block that sent it, and its transaction. */
  readonly height: bigint
  readonly sourceTx: string
  readonly state: "waiting" | "delivered" | "failed"
  /** Why it was not delivered, or what the receiver did with it. */
  readonly reason?: string | undefined
  /** The transaction that delivered it; absent if another relayer did, or this one before the node started. */
  readonly deliveryTx?: string | undefined
  /** The validators of the source chain that signed it, and the weight of all. */
  readonly signers?: readonly { readonly nodeID: NodeID; readonly weight: bigint }[] | undefined
  readonly totalWeight?: bigint | undefined
}

/** The VMs of a node. `l1/` implements this port. */
export interface ChainHosting {
  /** The node itself, which is the first validator of each L1 that it hosts. */
  readonly validator: DevIdentity
  /**
   * Checks a request and tries its files in the plugin before anything is written, completes it, lets `build` create the L1 on the P-Chain, and starts its chain. Throws `vm.*`;
   * a chain that was created and cannot start stays, and can be started again.
   */
  create<T extends CreatedChain>(
    wanted: VMRequest,
    build: (prepared: PreparedVM) => Promise<T>,
  ): Promise<T & { readonly l1: HostedL1 }>
  list(): readonly HostedL1[]
  /** Continues in another block mode, after that of the private chain was set. */
  blockModeWasSet(): void
  /** Makes up to this many blocks of a chain, as far as its VM has something for them. Throws `vm.unknown_l1` and `vm.stopped`. */
  mine(
    name: string,
    blocks: number,
  ): Promise<{ readonly height: bigint; readonly blocks: number; readonly reason: string | undefined }>
  /** Starts a chain that does not run. Throws `vm.unknown_l1`. */
  start(name: string): Promise<HostedL1>
  /** Stops a chain until it is started again. Throws `vm.unknown_l1`. */
  stop(name: string): Promise<HostedL1>
  /** Asks the VM of a chain whether it signs a message of its chain, if it runs here. Returns whether it was asked. Throws `vm.will_not_sign`. */
  requireSigned(chainID: ID, message: Uint8Array, justification: Uint8Array): Promise<boolean>
  /** The ICM messages between L1s that were seen since the node started or was reverted, the oldest first. */
  readonly relayed: readonly RelayedMessage[]
  /** Delivers all ICM messages that wait, and those again whose delivery failed. Resolves when each is delivered or has failed. */
  relay(): Promise<void>
  /** Takes a snapshot of the P-Chain with `take`, and of all L1s at the same moment, between two of their blocks. Throws `vm.own_data`. */
  snapshot<T extends { readonly id: number }>(take: () => Promise<T>): Promise<T>
  /** Reverts all chains with `revert`. Each VM begins again. Throws `vm.snapshot_lost`. */
  revert<T>(id: number, revert: () => Promise<T>): Promise<T>
  /** Replaces the P-Chain with `replace`. L1s that it does not have are removed, and the others begin again from their genesis. */
  replaceChain<T>(replace: () => Promise<T>): Promise<T>
  /** Changes validator sets of heights that the P-Chain has already with `change`. VMs keep such sets, so each begins again. */
  changeSets<T>(change: () => Promise<T>): Promise<T>
  /** Creates the L1s of the node's flags that it does not have. `dev.reset` calls it, and whoever starts the node sets it. */
  createStarted: () => Promise<void>
  /** Stops a chain and deletes its data. The subnet and the blockchain stay on the P-Chain. Throws `vm.unknown_l1`. */
  remove(name: string): Promise<HostedL1>
}
