import { Invalid } from "../../lib/invalid.js"
import { LruCache } from "../../lib/lruCache.js"
import type { ByteRoom } from "../../p2p/byteRoom.js"
import type { ID, NodeID } from "../../types/id.js"
import { type OuterBlock, type OuterHeader, readHeader, VERIFIED_BEFORE } from "../proposer/outerBlock.js"
import type { OuterChain } from "../proposer/outerChain.js"
import type { Snowman } from "../snowman/snowman.js"
import type { RefusedHeader } from "./refusedBlocks.js"
import { type WaitingBlock, WaitingBlocks } from "./waitingBlocks.js"

/** Functions of the engine that the issuing of blocks uses. */
export interface IssuerPort {
  /** The local clock, Unix seconds. */
  nowSeconds(): bigint
  /** Requests a block from a node. Returns false if the node cannot be asked. */
  requestBlock(id: ID, from: NodeID): boolean
  /** Returns whether a node recently did not deliver a block that it named. */
  isWithholding(nodeID: NodeID): boolean
  /** Called when a block that votes wait for was issued, or will not be. */
  resolved(id: ID): void
  /** A block is now in the tree. */
  issued(block: OuterBlock): void
  /** A block breaks a rule. `from` is its sender; `undefined` for one of this node. */
  refused(block: RefusedHeader, reason: Invalid, from: NodeID | undefined): void
  /** Returns the share of all stake that a node has, 0 to 1. */
  stakeShareOf(nodeID: NodeID): number
  /** Returns the options of a proposal, the preferred one first. */
  optionsOf(proposal: OuterBlock): readonly OuterBlock[]
}

/** The number of blocks above the last accepted one up to which blocks wait for their parents. A node that is further behind bootstraps again. */
export const MAX_AHEAD = 512n
/** The maximum number of blocks that are fetched from one node at a time. */
const MAX_FETCHES = 64
const REMEMBERED = 4096

/** Brings blocks into the consensus tree: fetches those that are only known by ID, and their parents, and verifies them in order. */
export class Issuer {
  readonly #chain: OuterChain
  readonly #snowman: Snowman
  readonly #port: IssuerPort
  readonly #fetching = new Map<ID, NodeID>()
  /** Blocks whose parents are not in the tree yet. */
  readonly #waiting: WaitingBlocks
  /** Blocks that were not issued, and their parents: votes for them count for the nearest ancestor in the tree. */
  readonly #unissued = new LruCache<ID>(REMEMBERED)
  /** Blocks that were refused since the clock's second or the last accepted block changed. Until then they would be refused again. */
  readonly #refused = new Set<ID>()
  #refusedAt = ""

  constructor(chain: OuterChain, snowman: Snowman, port: IssuerPort, room?: ByteRoom) {
    this.#chain = chain
    this.#snowman = snowman
    this.#port = port
    this.#waiting = new WaitingBlocks((nodeID) => port.stakeShareOf(nodeID), room)
  }

  /** The bytes of the blocks that wait for their parents. */
  get waitingBytes(): number {
    return this.#waiting.bytes
  }

  /**
   * Makes sure that a block is decided, in the tree, or being fetched, unless it was just refused. Returns true if it is being fetched.
   */
  ensure(id: ID, from: NodeID): boolean {
    if (this.isKnown(id) || this.#refusedNow().has(id)) return false
    if (this.isOnItsWay(id) && !this.#isBetterSource(id, from)) return true
    if (this.#fetchesFrom(from) >= MAX_FETCHES || !this.#port.requestBlock(id, from)) return this.isOnItsWay(id)
    this.#fetching.set(id, from)
    return true
  }

  isKnown(id: ID): boolean {
    return this.#snowman.isProcessing(id) || this.#chain.heightOf(id) !== undefined
  }

  isOnItsWay(id: ID): boolean {
    return this.#fetching.has(id) || this.#waiting.get(id) !== undefined
  }

  /** Handles a block that arrived from a node, requested or not, or one of this node, whose parent cannot be fetched. */
  offer(block: OuterHeader, from?: NodeID): void {
    const { id, parentID } = block
    this.#fetching.delete(id)
    if (this.isKnown(id) || this.#waiting.get(id) || this.#isDecided(block)) this.#port.resolved(id)
    else if (this.#isReady(parentID)) this.#issue(block, from)
    else if (from !== undefined && !this.#isFar(block) && this.#makeRoom(from)) {
      this.#waiting.add(block, from)
      if (!this.ensure(parentID, from) && !this.#isReady(parentID)) this.#abandon(block)
    } else this.#abandon(block)
  }

  /** Handles a requested block that did not arrive. */
  fetchFailed(id: ID, from: NodeID): void {
    if (this.#fetching.get(id) !== from) return
    this.#fetching.delete(id)
    this.#abandon({ id, parentID: undefined })
  }

  /** Drops waiting blocks that can no longer be issued, after others were decided. */
  prune(): void {
    for (const block of this.#waiting) if (this.#isDecided(block)) this.#abandon(block)
  }

  /** The nearest ancestor of a block that is in the tree, or the block itself. */
  processingAncestor(id: ID): ID | undefined {
    let at: ID | undefined = id
    for (let steps = 0; at !== undefined && steps < REMEMBERED; steps++) {
      if (this.#snowman.isProcessing(at)) return at
      at = this.#waiting.get(at)?.parentID ?? this.#unissued.get(at)
    }
    return undefined
  }

  /** Returns whether a block is being fetched from a node that withholds blocks, and this node does not. */
  #isBetterSource(id: ID, from: NodeID): boolean {
    const source = this.#fetching.get(id)
    return source !== undefined && source !== from && this.#port.isWithholding(source) && !this.#port.isWithholding(from)
  }

  #fetchesFrom(from: NodeID): number {
    let count = 0
    for (const source of this.#fetching.values()) if (source === from) count++
    return count
  }

  /**
   * Returns whether a block of a node may wait. The node's own blocks that have waited longest make room for it: a chain of blocks is fetched
   * from the newest down, and its oldest blocks are issued first. The others are fetched again after that.
   */
  #makeRoom(from: NodeID): boolean {
    for (;;) {
      if (this.#waiting.hasRoomFor(from)) return true
      const oldest = this.#waiting.oldestFrom(from)
      if (!oldest) return false
      this.#abandon(oldest)
    }
  }

  #isReady(parentID: ID): boolean {
    return parentID === this.#chain.lastAccepted.id || this.#snowman.isProcessing(parentID)
  }

  /** Decided are blocks up to the last accepted height, and those directly above it that follow another block. */
  #isDecided({ height, parentID }: Pick<OuterHeader, "height" | "parentID">): boolean {
    const { lastAccepted } = this.#chain
    if (height === undefined) return false
    return height <= lastAccepted.height || (height === lastAccepted.height + 1n && parentID !== lastAccepted.id)
  }

  #isFar({ height }: OuterHeader): boolean {
    return height !== undefined && height > this.#chain.lastAccepted.height + MAX_AHEAD
  }

  /** Issues a block, and those that wait for it. */
  #issue(first: OuterHeader, sender: NodeID | undefined): void {
    const ready: (OuterHeader | WaitingBlock)[] = [first]
    for (const next of ready) {
      const [header, from] = "from" in next ? [this.#headerOf(next), next.from] : [next, sender]
      const block = header && this.#verify(header, from)
      if (!block) {
        this.#abandon(next)
        continue
      }
      this.#waiting.delete(block.id)
      this.#add(block)
      const options = this.#port.optionsOf(block).filter((option) => this.#verify(option, from))
      for (const option of options) this.#add(option)
      this.#port.resolved(block.id)
      for (const { id } of [block, ...options]) ready.push(...this.#waiting.childrenOf(id))
    }
  }

  /** Reads the wrapper of a block whose parent is there now. Its signature was verified when it arrived. */
  #headerOf({ bytes }: WaitingBlock): OuterHeader | undefined {
    return readHeader(bytes, this.#chain.hasBareBlocks, VERIFIED_BEFORE)
  }

  #add(block: OuterBlock): void {
    if (this.#snowman.isProcessing(block.id)) return
    this.#snowman.add(block)
    this.#port.issued(block)
  }

  #verify(block: OuterHeader, from: NodeID | undefined): OuterBlock | undefined {
    try {
      return this.#chain.verify(block, { nowSeconds: this.#port.nowSeconds(), isBootstrapping: false })
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      const { id, parentID, bytes } = block
      this.#refusedNow().add(id)
      const parent = this.#chain.processing(parentID) ?? this.#chain.lastAccepted
      this.#port.refused({ id, parentID, bytes, height: parent.height + 1n }, error, from)
      return undefined
    }
  }

  #refusedNow(): Set<ID> {
    const now = `${this.#port.nowSeconds()} ${this.#chain.lastAccepted.id}`
    if (now !== this.#refusedAt) this.#refused.clear()
    this.#refusedAt = now
    return this.#refused
  }

  /** A block will not be issued, nor will those that wait for it. */
  #abandon(first: { readonly id: ID; readonly parentID: ID | undefined }): void {
    const abandoned = [first]
    for (const { id, parentID } of abandoned) {
      this.#waiting.delete(id)
      if (parentID !== undefined) this.#unissued.set(id, parentID)
      abandoned.push(...this.#waiting.childrenOf(id))
      this.#port.resolved(id)
    }
  }
}
