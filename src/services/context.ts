import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import type { Block } from "../core/blocks/block.js"
import type { Log } from "../core/lib/log.js"
import type { ChargedPace } from "../core/lib/pace.js"
import type { Rules } from "../core/rules/context.js"
import type { GasState } from "../core/rules/gas.js"
import type { Removals } from "../core/state/removedBlocks.js"
import type { IndexedView, PastReader, View } from "../core/state/view.js"
import type { Tx } from "../core/txs/tx.js"
import type { ID, NodeID } from "../core/types/id.js"
import type { Epoch } from "../core/types/proposervm.js"
import type { AnswerRoom } from "../jsonrpc/answerRoom.js"
import { methodWith } from "../jsonrpc/method.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { Memo } from "./memo.js"

/** Context of the handlers of `platform`, `info`, `avm` and `proposervm`. */
export interface Context {
  readonly dialect: Dialect
  /**
   * A snapshot of the last accepted state, so that all parts of an answer have the same height. It is valid until the handler has answered.
   */
  readonly view: IndexedView
  /** Returns the reader of the rows of blocks, transactions and other history in the same snapshot. On a read server `view` does not have these rows. */
  past(pace: ChargedPace): PastReader
  readonly height: bigint
  readonly lastAcceptedID: ID
  readonly rules: Rules
  readonly node: NodePort
  /** Returns the services that the server of this context serves. */
  readonly services: () => readonly ServicePath[]
  /** Values from which answers are made, and which do not depend on the state. */
  readonly memo: Memo
  readonly changes: Changes
  /** True if rows of the past are read from another machine. Whether an answer still holds then does not depend on them. */
  readonly isPastElsewhere: boolean
}

/** The changes of the state up to a context, by which stored answers are compared. */
export interface Changes {
  /** A text that is another one after every change of the state. */
  readonly state: string
  /**
   * Returns a text that changes with the state after the block at a height, for what a block alone does not determine. After a revert the
   * same blocks may have other overrides. An override changes only the state after the last block.
   */
  until(height: bigint, lastHeight: bigint): string
}

/** A service, and the path at which it is called. */
export interface ServicePath {
  readonly name: string
  readonly path: string
}

/** Declares a method over the state of the chain. */
export const method = methodWith<Context>()

/** The chain beside its state: its clock, its mempool and its network. `sources/` implements it for each source of a chain. */
export interface LiveChain {
  /** The local clock, Unix seconds. */
  now(): bigint
  /** Returns this node's measurement of a validator: `uptime` from 0 to 1. */
  uptimeOf(nodeID: NodeID): { readonly connected: boolean; readonly uptime: number } | undefined
  /** True if uptimes change without a block, because the node measures its connections to validators. */
  readonly measuresUptimes?: boolean
  proposedHeight(): bigint
  currentEpoch(): Epoch
  /** Returns a block that was verified and is not decided yet; omitted if blocks are accepted as soon as they are made. */
  undecidedBlock?(id: ID): Block | undefined
  /** Returns the state after the block that the node prefers, which may be undecided; omitted in the same case. */
  preferredState?(): View
  /** Returns the status of a transaction that a snapshot does not have: it waits, is in a block that is about to be written, or was dropped recently. */
  txStatus(txID: ID): { readonly status: "Processing" } | { readonly status: "Dropped"; readonly reason: string } | undefined
  /**
   * Returns the gas that a block built now would start with, and the time of that block (Unix seconds); omitted if this node builds no
   * blocks.
   */
  gasNow?(): GasState & { readonly time: bigint }
  /** Returns the number of waiting transactions. */
  mempoolSize(): number
  /** Issues a transaction. It ends when the call may be answered. Throws `Invalid` whose `avalanchegoMessage` is AvalancheGo's text. */
  issueTx(tx: Tx, pace: ChargedPace): Promise<void>
  /** Returns the nodes that this one is connected to; omitted if it has no peers. */
  peers?(): readonly ConnectedPeer[]
  /** Returns whether the P-Chain has caught up with the network; omitted if it always has. */
  isBootstrapped?(): boolean
  /** True if this node makes the blocks of a private chain. */
  readonly isPrivate?: boolean
  /** The VMs that the node runs besides that of the P-Chain, and their chains; omitted if it runs none. */
  readonly vms?: HostedVMs | undefined
  /** The latest blocks that were removed because the chain went back; omitted if it never does. */
  removedBlocks?(): Removals
  /**
   * Returns whether the chain may come to a block above the last accepted one that a client has, because this node is behind others; by default
   * it may. `id` is in CB58.
   */
  mayCome?(height: bigint, id: string): boolean | Promise<boolean>
}

/** Facts that are not in the state. `node/` implements this port; tests pass plain objects. */
export interface NodePort extends LiveChain {
  readonly networkID: number
  readonly hrp: string
  readonly genesis: GenesisFacts
  readonly version: NodeVersion
  readonly identity: NodeIdentity
  /** Returns the address that this node announces, `a.b.c.d:port`; empty if none is known. */
  peerAddress(): string
  /** True on a public server, whose answers reveal neither its own validator nor whether it has one. */
  readonly hidesIdentity?: boolean
  /** The room for answers that may grow without limit. */
  readonly answerRoom: AnswerRoom
  /** Accepted blocks with their wrappers; omitted if the node has no service `index`. */
  readonly containers?: ContainerPort | undefined
  /** Chains whose requests are forwarded to another node; none by default. */
  readonly proxiedChains?: readonly ID[]
  /** The L1s about which event streams tell more than their transactions; none by default. */
  readonly watchedL1s?: readonly ID[] | undefined
  /** True if the node has the service `admin`. */
  readonly hasAdmin?: boolean
  /** Calls the listener after every change of the state (for events and caches), in order. Returns a function that unsubscribes. */
  onAccepted(listener: (event: AcceptedEvent) => void): () => void
  /** The log, whose level can be read and set; omitted if the node has none. */
  readonly log?: Pick<Log, "level"> | undefined
}

/** The VMs of a node besides that of the P-Chain. */
export interface HostedVMs {
  /** Returns the VMs that can run, by ID. */
  vmIDs(): readonly ID[]
  /** Returns the chains of these VMs. */
  chains(): readonly HostedChainFacts[]
}

/** A chain of a VM that runs in this node. */
export interface HostedChainFacts {
  readonly chainID: ID
  readonly subnetID: ID
  /** The name of the chain in paths. */
  readonly name: string
  readonly vmID: ID
  readonly isRunning: boolean
  /** The version of the VM, while it runs. */
  readonly version: string | undefined
  /** The P-Chain height that its last block names, while it runs; 0 before its first block. */
  readonly namedHeight: bigint | undefined
}

/** Accepted blocks with their ProposerVM wrappers. A block without a wrapper is its own container. */
export interface ContainerPort {
  at(view: View, height: bigint): { readonly id: ID; readonly bytes: Uint8Array } | undefined
  /** Returns the height of a block by the ID of its container. */
  heightOf(view: View, id: ID): bigint | undefined
}

/** A node that this one is connected to. Times are Unix milliseconds. */
export interface ConnectedPeer {
  readonly nodeID: NodeID
  /** The other end of the connection, `a.b.c.d:port`. */
  readonly ip: string
  /** The address that the peer claims. */
  readonly publicIP: string
  readonly version: string
  /** The time of the next upgrade that the peer knows, Unix seconds. */
  readonly upgradeTime: bigint
  readonly lastSent: number
  readonly lastReceived: number
  /** This node's uptime as the peer measures it, percent. */
  readonly observedUptime: number
  /** The subnets that the peer tracks besides the primary network. */
  readonly trackedSubnets: readonly ID[]
  readonly supportedACPs: readonly number[]
  readonly objectedACPs: readonly number[]
  /** True if this node expects no answers about the P-Chain from the peer. */
  readonly isBenched: boolean
}

/** Facts about genesis that are in no table. */
export interface GenesisFacts {
  readonly xChainID: ID
  readonly cChainID: ID
  readonly avaxAssetID: ID
}

/** Versions that this program reports. */
export interface NodeVersion {
  /** `serac`, or `avalanchego` in the `avalanchego` dialect. */
  readonly name: string
  /** `0.1.0` */
  readonly version: string
  /** `v1.4.5` */
  readonly databaseVersion: string
  readonly rpcProtocolVersion: number
  readonly gitCommit: string
}

/** Identity of this node. */
export interface NodeIdentity {
  readonly nodeID: NodeID
  /** Compressed BLS key, 48 bytes. */
  readonly publicKey: Uint8Array
  /** The proof of possession of the BLS key, 96 bytes. */
  readonly proofOfPossession: Uint8Array
}
