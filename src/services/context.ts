import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import type { Block } from "../core/blocks/block.js"
import type { Log } from "../core/lib/log.js"
import type { Work } from "../core/lib/work.js"
import type { Rules } from "../core/rules/context.js"
import type { GasState } from "../core/rules/gas.js"
import type { IndexedView, View } from "../core/state/view.js"
import type { Tx } from "../core/txs/tx.js"
import type { ID, NodeID } from "../core/types/id.js"
import type { Epoch } from "../core/types/proposervm.js"
import { methodWith } from "../jsonrpc/method.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { StateAnswers } from "./cache/stateAnswers.js"

/** Context of the handlers of `platform`, `info`, `avm` and `proposervm`. */
export interface Context {
  readonly dialect: Dialect
  /** One snapshot of the last accepted state: an answer is of one height. Valid until the handler has answered. */
  readonly view: IndexedView
  readonly height: bigint
  readonly lastAcceptedID: ID
  readonly rules: Rules
  readonly node: NodePort
  /** Returns the services that the server of this context answers. */
  readonly services: () => readonly ServicePath[]
  /** Answers that were made before, by how long they hold. */
  readonly cache: StateAnswers
}

/** A service, and the path at which it is called. */
export interface ServicePath {
  readonly name: string
  readonly path: string
}

/** Declares a method over the state of the chain. */
export const method = methodWith<Context>()

/** The few things that are not in the state. Implemented by src/node; fakes in tests are plain objects. */
export interface NodePort {
  readonly networkID: number
  readonly hrp: string
  readonly genesis: GenesisFacts
  readonly version: NodeVersion
  readonly identity: NodeIdentity
  /** True on a public server: no answer reveals which validator it is, or whether it is one. */
  readonly hidesIdentity?: boolean
  /** The local clock, Unix seconds. */
  now(): bigint
  /** Returns this node's measurement of a validator: `uptime` from 0 to 1. */
  uptimeOf(nodeID: NodeID): { readonly connected: boolean; readonly uptime: number } | undefined
  proposedHeight(): bigint
  currentEpoch(): Epoch
  /** A block that was verified and is not yet accepted. */
  processingBlock(id: ID): Block | undefined
  /** A transaction of the preferred chain that is not yet accepted; omitted if a block is accepted as soon as it is made. */
  preferredTx?(txID: ID): Tx | undefined
  /** Returns the mempool's status of a transaction, if it waits or was dropped recently. */
  txStatus(txID: ID): { readonly status: "Processing" } | { readonly status: "Dropped"; readonly reason: string } | undefined
  /** The gas that a block built now would start from, and that block's time (Unix seconds); omitted if nobody builds blocks here. */
  gasNow?(): GasState & { readonly time: bigint }
  /** Returns the number of waiting transactions. */
  mempoolSize(): number
  /** Resolves when it may be answered; throws `Invalid` whose `reference` is AvalancheGo's text. */
  issueTx(tx: Tx): Work<void>
  /** The nodes that this one is connected to; omitted if it has no peers. */
  peers?(): readonly ConnectedPeer[]
  /** Whether the P-Chain has caught up with the network; omitted if it is always so. */
  isBootstrapped?(): boolean
  /** Accepted blocks with their wrappers; omitted if the node has no service `index`. */
  readonly containers?: ContainerPort | undefined
  /** True if this node makes the blocks of a private chain. */
  readonly isPrivate?: boolean
  /** Chains whose requests another node answers; none by default. */
  readonly proxiedChains?: readonly ID[]
  /** True if the node has the service `admin`. */
  readonly hasAdmin?: boolean
  /** The log, whose level can be read and set; omitted if the node has none. */
  readonly log?: Pick<Log, "level"> | undefined
  /** Called after every change of the state (for events and caches), in order; returns the unsubscribe. */
  onAccepted(listener: (event: AcceptedEvent) => void): () => void
}

/** Accepted blocks with their ProposerVM wrappers. A block without a wrapper is its own container. */
export interface ContainerPort {
  at(view: View, height: bigint): { readonly id: ID; readonly bytes: Uint8Array } | undefined
  /** The height of a block by the ID of its container. */
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
  /** Unix seconds. */
  readonly upgradeTime: bigint
  readonly lastSent: number
  readonly lastReceived: number
  /** This node's uptime as the peer measures it, percent. */
  readonly observedUptime: number
  /** Besides the primary network. */
  readonly trackedSubnets: readonly ID[]
  readonly supportedACPs: readonly number[]
  readonly objectedACPs: readonly number[]
  /** Whether this node expects no answers from it about the P-Chain. */
  readonly isBenched: boolean
}

/** Facts of genesis that no table holds. */
export interface GenesisFacts {
  readonly xChainID: ID
  readonly cChainID: ID
  readonly avaxAssetID: ID
}

/** Versions that this program reports. */
export interface NodeVersion {
  /** `serac`, or under the `avalanchego` dialect `avalanchego`. */
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
  /** 96 bytes. */
  readonly proofOfPossession: Uint8Array
  /** `a.b.c.d:port`, empty if none is known. */
  readonly ip: string
}
