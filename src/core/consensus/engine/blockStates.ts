import { LruCache } from "../../lib/lruCache.js"
import { type ByteRoom, BytesOfNodes } from "../../p2p/byteRoom.js"
import type { ID, NodeID } from "../../types/id.js"
import type { OuterHeader } from "../proposer/outerBlock.js"
import type { OuterChain } from "../proposer/outerChain.js"
import type { Snowman } from "../snowman/snowman.js"

/** A block that waits for its parent. It stays bytes until the parent is there. */
export interface WaitingBlock extends Pick<OuterHeader, "id" | "parentID" | "height" | "bytes"> {
  readonly from: NodeID
}

/** The number of blocks above the last accepted one up to which blocks wait for their parents. A node that is further behind bootstraps again. */
export const MAX_AHEAD = 512n
/** The bytes that a waiting block takes besides its own. */
const OVERHEAD = 1024
const REMEMBERED = 4096

/**
 * The state of every block that is not accepted: it is being fetched from a node, waits for its parent, is in the tree, or was abandoned. The
 * blocks that wait are limited by bytes, for each sender and for all together, like waiting messages.
 */
export class BlockStates {
  readonly tree: Snowman
  readonly #chain: OuterChain
  /** The node from which each block is being fetched. */
  readonly fetching = new Map<ID, NodeID>()
  /** In the order of arrival. */
  readonly #waiting = new Map<ID, WaitingBlock>()
  readonly #byParent = new Map<ID, Set<ID>>()
  readonly #bytes: BytesOfNodes
  /** The parents of abandoned blocks: votes for these blocks count for the nearest ancestor in the tree. */
  readonly #abandoned = new LruCache<ID>(REMEMBERED)

  /** `stakeShareOf` returns the share of all stake that a node has, 0 to 1. */
  constructor(chain: OuterChain, tree: Snowman, stakeShareOf: (nodeID: NodeID) => number, room?: ByteRoom) {
    this.#chain = chain
    this.tree = tree
    this.#bytes = new BytesOfNodes(stakeShareOf, room)
  }

  get waitingBytes(): number {
    return this.#bytes.total
  }

  /** Returns whether a block is in the tree, or accepted. */
  isKnown(id: ID): boolean {
    return this.tree.isProcessing(id) || this.#chain.heightOf(id) !== undefined
  }

  /** Returns whether a block is being fetched, or waits for its parent. */
  isPending(id: ID): boolean {
    return this.fetching.has(id) || this.#waiting.has(id)
  }

  /** Returns whether a block that follows this one can be verified. */
  isReady(parentID: ID): boolean {
    return parentID === this.#chain.lastAccepted.id || this.tree.isProcessing(parentID)
  }

  /** Decided are blocks up to the last accepted height, and those directly above it that follow another block. */
  isDecided({ height, parentID }: Pick<OuterHeader, "height" | "parentID">): boolean {
    const { lastAccepted } = this.#chain
    if (height === undefined) return false
    return height <= lastAccepted.height || (height === lastAccepted.height + 1n && parentID !== lastAccepted.id)
  }

  isFar({ height }: OuterHeader): boolean {
    return height !== undefined && height > this.#chain.lastAccepted.height + MAX_AHEAD
  }

  /** The nearest ancestor of a block that is in the tree, or the block itself. */
  processingAncestor(id: ID): ID | undefined {
    let at: ID | undefined = id
    for (let steps = 0; at !== undefined && steps < REMEMBERED; steps++) {
      if (this.tree.isProcessing(at)) return at
      at = this.#waiting.get(at)?.parentID ?? this.#abandoned.get(at)
    }
    return undefined
  }

  fetchesFrom(from: NodeID): number {
    let count = 0
    for (const source of this.fetching.values()) if (source === from) count++
    return count
  }

  /** Returns whether a block of a node may wait. */
  hasRoomFor(from: NodeID): boolean {
    return this.#bytes.hasRoomFor(from)
  }

  /** The block of a node that has waited longest: of blocks that were fetched one after the other from the newest down, the newest. */
  oldestFrom(from: NodeID): WaitingBlock | undefined {
    for (const block of this.#waiting.values()) if (block.from === from) return block
    return undefined
  }

  waitingFor(parentID: ID): WaitingBlock[] {
    return [...(this.#byParent.get(parentID) ?? [])].map((id) => this.#waiting.get(id) as WaitingBlock)
  }

  /** The waiting blocks that can no longer be issued, after others were decided. */
  waitingInVain(): WaitingBlock[] {
    return [...this.#waiting.values()].filter((block) => this.isDecided(block))
  }

  wait({ id, parentID, height, bytes }: OuterHeader, from: NodeID): void {
    this.#waiting.set(id, { id, parentID, height, bytes, from })
    this.#byParent.set(parentID, (this.#byParent.get(parentID) ?? new Set()).add(id))
    this.#bytes.add(from, bytes.length + OVERHEAD)
  }

  /** The block waits no longer: it is issued, or abandoned. */
  endWaiting(id: ID): void {
    const block = this.#waiting.get(id)
    if (!block) return
    this.#waiting.delete(id)
    const siblings = this.#byParent.get(block.parentID) as Set<ID>
    siblings.delete(id)
    if (siblings.size === 0) this.#byParent.delete(block.parentID)
    this.#bytes.add(block.from, -block.bytes.length - OVERHEAD)
  }

  /** The block will not be issued. Its parent is unknown if the block never arrived. */
  abandon(id: ID, parentID: ID | undefined): void {
    this.endWaiting(id)
    if (parentID !== undefined) this.#abandoned.set(id, parentID)
  }
}
