import type { Block } from "../../blocks/block.js"
import type { UptimeOf } from "../../chain/options.js"
import type { StatePort } from "../../chain/statePort.js"
import type { TimeoutSettings } from "../../p2p/adaptiveTimeout.js"
import type { ValidatorInfo } from "../../p2p/addressBook.js"
import type { ByteRoom } from "../../p2p/byteRoom.js"
import type { OutgoingMessage } from "../../p2p/message.js"
import type { Random } from "../../p2p/random.js"
import type { NodeID } from "../../types/id.js"
import type { AppMessage } from "../app/envelope.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import type { OuterChain } from "../proposer/outerChain.js"
import type { VoteQuery } from "../responder.js"
import type { SnowParameters } from "../snowman/parameters.js"
import type { ProposerOptions } from "../validator/proposer.js"
import type { BenchList, BenchSettings } from "./benchList.js"
import type { RefusedBlock } from "./refusedBlocks.js"

/** Functions through which the engine acts: it sends messages, and reports validators and accepted blocks. */
export interface EnginePort {
  send(nodeID: NodeID, message: OutgoingMessage): boolean
  /** The validators of the primary network, at first and whenever they have changed. */
  validators(validators: ReadonlyMap<NodeID, ValidatorInfo>): void
  /** Blocks were accepted and written. While bootstrapping this is not called. */
  accepted(blocks: readonly OuterBlock[]): void
  /** Called when the chain has reached the last accepted block of the beacons; from now on the engine follows the network. */
  bootstrapped(): void
  /** Called when the network accepted a block that the rules of this node refuse. The chain does not change any more. */
  halted(report: RefusedBlock): void
  /** Called while bootstrapping at every attempt to verify a block that this node's clock refuses. It is tried again until it passes. */
  postponed?(report: RefusedBlock): void
  proposed?(block: OuterBlock): void
  /** A validator no longer counts as connected, since it does not answer; or it does again. */
  benched?(nodeID: NodeID): void
  released?(nodeID: NodeID): void
  /** Answers a message of another node to the P-Chain's VM; `undefined` stays silent. */
  app?(nodeID: NodeID, message: AppMessage): OutgoingMessage | undefined
  /** See `BootstrapOptions`. */
  recoverAhead?(blocks: readonly Block[]): void
  /** Returns the uptime of a node, see `preferredOption`. By default this node measures no uptimes, and prefers to commit. */
  uptimeOf?: UptimeOf
}

export type ValidatorOptions = Omit<ProposerOptions, "chain" | "signed">

export interface EngineOptions {
  readonly chain: OuterChain
  readonly state: StatePort
  /** Nodes whose last accepted block is believed while bootstrapping. */
  readonly beacons: readonly NodeID[]
  readonly parameters: SnowParameters
  /** The timeouts; AvalancheGo's by default. */
  readonly timeouts?: TimeoutSettings | undefined
  readonly bench?: BenchSettings | undefined
  readonly settings?: ChainSettings | undefined
  readonly random: Random
  /** Votes and proposes blocks while the node is among the validators; by default it only follows. */
  readonly validator?: ValidatorOptions | undefined
  /** Begins to follow at this time instead of catching up first, Unix milliseconds. */
  readonly followsFrom?: number | undefined
  /** Returns the machine's clock, Unix seconds, if the times of inputs come from a monotonic clock; by default those times are used. */
  readonly unixSeconds?: (() => bigint) | undefined
  readonly port: EnginePort
}

export interface ConsensusPort extends Pick<EnginePort, "send" | "halted"> {
  /** The vote that answers a query. A follower votes only for decided blocks; a validator votes for the block that it prefers. */
  chits(query: VoteQuery): OutgoingMessage
  /** Blocks were accepted, in order; they are in the chain and not flushed yet. */
  accepted(blocks: readonly OuterBlock[]): void
  /** Returns the options of a proposal, the preferred one first. */
  optionsOf(proposal: OuterBlock): readonly OuterBlock[]
  /** The preferred branch of undecided blocks has changed, lowest first. Called before any vote for it. */
  preferred?(branch: readonly OuterBlock[]): void
}

export interface ConsensusOptions extends Pick<EngineOptions, "chain" | "parameters" | "timeouts" | "random" | "unixSeconds"> {
  readonly settings: Pick<ChainSettings, "frontierPollMs">
  /** The validators for which polls do not wait. */
  readonly bench: BenchList
  /** The bytes of blocks that wait for their parents. */
  readonly room?: ByteRoom
  /** This node, if it may validate: its stake counts as connected, and it answers its own polls. */
  readonly own?: NodeID | undefined
  /** Undecided blocks that an earlier run of this validator voted for, lowest first. */
  readonly restored?: readonly OuterBlock[] | undefined
  readonly port: ConsensusPort
}

/**
 * The numbers of bootstrapping and consensus that an operator may change, with AvalancheGo's defaults. Times are milliseconds; AvalancheGo's
 * flag is named at each.
 */
export const defaultChainSettings = {
  /** `--consensus-frontier-poll-frequency`: the interval at which one validator is asked for its preference while nothing is undecided. */
  frontierPollMs: 100,
  /** `--snow-optimal-processing`: the number of undecided blocks from which on a validator builds no further block. */
  optimalProcessing: 10,
  /** `--bootstrap-ancestors-max-containers-received`: the number of blocks of an answer that are used. */
  maxAncestorsReceived: 2000,
  /** `--bootstrap-ancestors-max-containers-sent`: the maximum number of blocks in an answer of this node. */
  maxAncestorsSent: 2000,
  /** `--bootstrap-max-time-get-ancestors`: the time for which this node works on one such answer. */
  ancestorsMs: 50,
  /** `--bootstrap-beacon-connection-timeout`: when to warn that too few bootstrappers are connected. */
  beaconWarningMs: 60_000,
}

export type ChainSettings = Readonly<typeof defaultChainSettings>
