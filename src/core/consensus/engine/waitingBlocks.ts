import { type ByteRoom, defaultInboundRoom, hasRoom } from "../../p2p/byteRoom.js"
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
  readonly #stakeShareOf: (nodeID: NodeID) => number
  readonly #room: ByteRoom
  /** In the order of arrival. */
  readonly #blocks = new Map<ID, WaitingBlock>()
  readonly #byParent = new Map<ID, Set<ID>>()
  readonly #bytesFrom = new Map<NodeID, number>()

  /** `stakeShareOf` returns the share of all stake that a node has, 0 to 1. */
  constructor(stakeShareOf: (nodeID: NodeID) => number, room: ByteRoom = defaultInboundRoom) {
    this.#stakeShareOf = stakeShareOf
    this.#room = room
  }

  /** The bytes of all waiting blocks together. */
  get bytes(): number {
    let sum = 0
    for (const bytes of this.#bytesFrom.values()) sum += bytes
    return sum
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

  /** Returns whether a block of a node may wait. The last one that fits may be larger than the room that is left. */
  hasRoomFor(from: NodeID): boolean {
    const waiting = (nodeID: NodeID, bytes: number) => ({ bytes, stakeShare: this.#stakeShareOf(nodeID) })
    const all = [...this.#bytesFrom].map(([nodeID, bytes]) => waiting(nodeID, bytes))
    return hasRoom(this.#room, waiting(from, this.#bytesFrom.get(from) ?? 0), all)
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
    this.#count(from, bytes.length + OVERHEAD)
  }

  delete(id: ID): void {
    const block = this.#blocks.get(id)
    if (!block) return
    this.#blocks.delete(id)
    const siblings = this.#byParent.get(block.parentID) as Set<ID>
    siblings.delete(id)
    if (siblings.size === 0) this.#byParent.delete(block.parentID)
    this.#count(block.from, -block.bytes.length - OVERHEAD)
  }

  #count(from: NodeID, change: number): void {
    const bytes = (this.#bytesFrom.get(from) ?? 0) + change
    if (bytes === 0) this.#bytesFrom.delete(from)
    else this.#bytesFrom.set(from, bytes)
  }
}
