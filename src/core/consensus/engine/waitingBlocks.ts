import { type ByteRoom, BytesOfNodes } from "../../p2p/byteRoom.js"
import type { ID, NodeID } from "../../types/id.js"
import type { OuterHeader } from "../proposer/outerBlock.js"

/** A block that waits for its parent. It stays bytes until the parent is there. */
export interface WaitingBlock extends Pick<OuterHeader, "id" | "parentID" | "height" | "bytes"> {
  readonly from: NodeID
}

/** The bytes that a waiting block takes besides its own. */
const OVERHEAD = 1024

/** The blocks that wait for their parents. They are limited by bytes, for each sender and for all together, like waiting messages. */
export class WaitingBlocks {
  /** In the order of arrival. */
  readonly #blocks = new Map<ID, WaitingBlock>()
  readonly #byParent = new Map<ID, Set<ID>>()
  readonly #bytes: BytesOfNodes

  /** `stakeShareOf` returns the share of all stake that a node has, 0 to 1. */
  constructor(stakeShareOf: (nodeID: NodeID) => number, room?: ByteRoom) {
    this.#bytes = new BytesOfNodes(stakeShareOf, room)
  }

  /** The bytes of all waiting blocks together. */
  get bytes(): number {
    return this.#bytes.total
  }

  get(id: ID): WaitingBlock | undefined {
    return this.#blocks.get(id)
  }

  [Symbol.iterator](): Iterator<WaitingBlock> {
    return [...this.#blocks.values()][Symbol.iterator]()
  }

  childrenOf(parentID: ID): WaitingBlock[] {
    return [...(this.#byParent.get(parentID) ?? [])].map((id) => this.#blocks.get(id) as WaitingBlock)
  }

  /** Returns whether a block of a node may wait. */
  hasRoomFor(from: NodeID): boolean {
    return this.#bytes.hasRoomFor(from)
  }

  /** The block of a node that has waited longest: of blocks that were fetched one after the other from the newest down, the newest. */
  oldestFrom(from: NodeID): WaitingBlock | undefined {
    for (const block of this.#blocks.values()) if (block.from === from) return block
    return undefined
  }

  add({ id, parentID, height, bytes }: OuterHeader, from: NodeID): void {
    this.#blocks.set(id, { id, parentID, height, bytes, from })
    const siblings = this.#byParent.get(parentID) ?? new Set()
    this.#byParent.set(parentID, siblings.add(id))
    this.#bytes.add(from, bytes.length + OVERHEAD)
  }

  delete(id: ID): void {
    const block = this.#blocks.get(id)
    if (!block) return
    this.#blocks.delete(id)
    const siblings = this.#byParent.get(block.parentID) as Set<ID>
    siblings.delete(id)
    if (siblings.size === 0) this.#byParent.delete(block.parentID)
    this.#bytes.add(block.from, -block.bytes.length - OVERHEAD)
  }
}
