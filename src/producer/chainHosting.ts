import type { TypeOf } from "../core/codec/schema.js"
import type { ID } from "../core/types/id.js"
import { described, list, oneOf, optional, string } from "../jsonrpc/schema/kinds.js"
import { number, u64 } from "../jsonrpc/schema/numbers.js"
import { object } from "../jsonrpc/schema/object.js"
import { id, nodeID } from "../services/kinds.js"
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
  /** The chain ID of the developer's genesis; by default one that is free. */
  readonly evmChainID?: bigint | undefined
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

/** A chain that the node hosts, as `/ext/dev` shows it. */
export const hostedL1 = object({
  name: string,
  subnetID: id,
  chainID: id,
  vmID: id,
  vm: described(string, "The well-known name of the VM, or its ID."),
  state: oneOf("starting", "running", "restarting", "stopped"),
  reason: optional(described(string, "Why the chain does not run, or makes no block while the clock stands still.")),
  height: optional(described(u64, "The height of the last accepted block of the L1.")),
  version: optional(described(string, "The version of the VM.")),
  protocol: optional(described(number, "The version of the plugin protocol.")),
  restarts: described(number, "How often the plugin was started again after a failure."),
  clock: optional(
    described(
      oneOf("stops", "moves", "none"),
      "What the plugin does with the clock of the private chain: it moves and stops with it, it moves with it and does not stop, or it shows the time of the machine.",
    ),
  ),
  pid: optional(described(number, "The process of the plugin.")),
  databaseBytes: described(number, "The size of the plugin's database, bytes."),
  paths: described(list(string), "The paths of the VM's handlers."),
  evmChainID: optional(described(u64, "The chain ID of the EVM.")),
  keys: described(list(object({ address: string, privateKey: string })), "Publicly known keys that the genesis funds."),
  log: described(list(string), "The last lines that the plugin printed."),
})
export type HostedL1 = TypeOf<typeof hostedL1>

/** A message of an ICM contract from one hosted chain to another. Addresses and hashes of EVM chains are hex with `0x`. */
export const relayedMessage = object({
  messageID: described(id, "The ID of the Warp message."),
  icmID: described(string, "The ID that the ICM contract gives the message."),
  contract: described(string, "The ICM contract, which has the same address on both chains."),
  sourceChainID: id,
  destinationChainID: id,
  nonce: described(u64, "The number that the ICM contract gives the message."),
  sender: described(string, "The account or contract that sent the message through the ICM contract."),
  receiver: string,
  height: described(u64, "The height of the block of the source that sent the message."),
  sourceTx: described(string, "The transaction that sent the message."),
  state: oneOf("waiting", "delivered", "failed"),
  reason: optional(described(string, "Why the message was not delivered, or that its receiver failed.")),
  deliveryTx: optional(described(string, "The transaction that delivered the message, if this node did since it started.")),
  signers: optional(described(list(object({ nodeID, weight: u64 })), "The validators of the source that signed the message.")),
  totalWeight: optional(described(u64, "The weight of all validators of the source.")),
})
export type RelayedMessage = TypeOf<typeof relayedMessage>

/** The chains whose plugins did not follow a move of the clock. */
export interface ClockFollowers {
  /** Those that show the time of the machine; `undefined` if there are none. */
  readonly l1sNotMoved: readonly string[] | undefined
  /** Those that go on while the clock is frozen. */
  readonly l1sNotStopped: readonly string[] | undefined
}

/** A stop on the way of a move of the clock, at which hosted chains make the blocks of what waits there. */
export interface MoveStop {
  /** Seconds after the present time, in which such a block is due. */
  readonly seconds: bigint
  makeBlocks(): Promise<void>
}

/** The VMs of a node. `hosting/` implements this port. */
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
  /** The L1s, without the C-Chain. */
  list(): readonly HostedL1[]
  /** The C-Chain; `undefined` if the node does not host it. */
  readonly cChain: HostedL1 | undefined
  /**
   * Moves the clock of all chains with `move`, between two of their blocks. `stop` is omitted if they make no blocks by themselves.
   * `makesBlocks` is true if EVM chains then make a block that shows the time.
   */
  moveClock<T>(move: (stop?: MoveStop) => Promise<T>, makesBlocks: boolean): Promise<T & ClockFollowers>
  /** Tells VMs which validators are online, after uptimes were set. Resolves when each that answers knows it. */
  uptimesWereSet(): Promise<void>
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
