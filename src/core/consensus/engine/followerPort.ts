import type { TimeoutSettings } from "../../p2p/adaptiveTimeout.js"
import type { OutgoingMessage } from "../../p2p/message.js"
import type { Random } from "../../p2p/random.js"
import type { NodeID } from "../../types/id.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import type { OuterChain } from "../proposer/outerChain.js"
import type { SnowParameters } from "../snowman/parameters.js"
import type { BenchList } from "./benchList.js"
import type { ChainSettings } from "./chainSettings.js"
import type { RefusedBlock } from "./refusedBlocks.js"

/** Functions of the engine that the follower uses. */
export interface FollowerPort {
  send(nodeID: NodeID, message: OutgoingMessage): boolean
  /** The vote that answers a query. A follower votes only for decided blocks; a validator votes for the block that it prefers. */
  chits(query: { readonly requestId: number; readonly requestedHeight: bigint }): OutgoingMessage
  /** Blocks were accepted, in order; they are in the chain and not flushed yet. */
  accepted(blocks: readonly OuterBlock[]): void
  /** Returns the options of a proposal, the preferred one first. */
  optionsOf(proposal: OuterBlock): readonly OuterBlock[]
  /** The preferred branch of undecided blocks has changed, lowest first. Called before any vote for it. */
  preferred?(branch: readonly OuterBlock[]): void
  /** Called if the validators accepted a block that breaks a rule here. No more blocks are accepted. */
  halted(report: RefusedBlock): void
}

/** Options of a follower. */
export interface FollowerOptions {
  readonly chain: OuterChain
  readonly parameters: SnowParameters
  readonly settings: Pick<ChainSettings, "frontierPollMs">
  /** The validators for which polls do not wait. */
  readonly bench: BenchList
  readonly timeouts?: TimeoutSettings | undefined
  readonly random: Random
  /** This node, if it may validate: its stake counts as connected, and it answers its own polls. */
  readonly own?: NodeID | undefined
  /** Undecided blocks that an earlier run of this validator voted for, lowest first. */
  readonly restored?: readonly OuterBlock[] | undefined
  /** See `EngineOptions`. */
  readonly unixSeconds?: (() => bigint) | undefined
  readonly port: FollowerPort
}
