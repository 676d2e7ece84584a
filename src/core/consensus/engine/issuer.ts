import { Invalid } from "../../lib/invalid.js"
import { LruCache } from "../../lib/lruCache.js"
import type { ID, NodeID } from "../../types/id.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import type { OuterChain } from "../proposer/outerChain.js"
import type { Snowman } from "../snowman/snowman.js"

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
  /** A block breaks a rule. */
  refused(block: OuterBlock, reason: Invalid): void
  /** Returns the options of a proposal, the preferred one first. */
  optionsOf(proposal: OuterBlock): readonly OuterBlock[]
}

/** The maximum number of blocks that wait for their parents. A node that is further behind bootstraps again. */
const MAX_WAITING = 1024
const REMEMBERED = 4096

/** Brings blocks into the consensus tree: fetches those that are only known by ID, and their parents, and verifies them in order. */
export class Issuer {
  readonly #chain: OuterChain
  readonly #snowman: Snowman
  readonly #port: IssuerPort
  readonly #fetching = new Map<ID, NodeID>()
  /** Blocks whose parents are not in the tree yet. */
  readonly #waiting = new Map<ID, { readonly block: OuterBlock; readonly from: NodeID }>()
  /** Blocks that were not issued, and their parents: votes for them count for the nearest ancestor in the tree. */
  readonly #unissued = new LruCache<ID>(REMEMBERED)

  constructor(chain: OuterChain, snowman: Snowman, port: IssuerPort) {
    this.#chain = chain
    this.#snowman = snowman
    this.#port = port
  }

  /** Makes sure that a block is decided, in the tree, or being fetched. Returns true if it is being fetched. */
  ensure(id: ID, from: NodeID): boolean {
    if (this.isKnown(id)) return false
    if (this.isOnItsWay(id) && !this.#isBetterSource(id, from)) return true
    if (!this.#port.requestBlock(id, from)) return this.isOnItsWay(id)
    this.#fetching.set(id, from)
    return true
  }

  isKnown(id: ID): boolean {
    return this.#snowman.isProcessing(id) || this.#chain.heightOf(id) !== undefined
  }

  isOnItsWay(id: ID): boolean {
    return this.#fetching.has(id) || this.#waiting.has(id)
  }

  /** Handles a block that arrived, requested or not. */
  offer(block: OuterBlock, from: NodeID): void {
    const { id, parentID } = block
    this.#fetching.delete(id)
    if (this.isKnown(id) || this.#waiting.has(id) || this.#isDecided(block)) this.#port.resolved(id)
    else if (this.#isReady(parentID)) this.#issue(block)
    else if (this.#waiting.size >= MAX_WAITING) this.#abandon(id, parentID)
    else {
      this.#waiting.set(id, { block, from })
      if (!this.ensure(parentID, from) && !this.#isReady(parentID)) this.#abandon(id, parentID)
    }
  }

  /** Handles a requested block that did not arrive. */
  fetchFailed(id: ID, from: NodeID): void {
    if (this.#fetching.get(id) !== from) return
    this.#fetching.delete(id)
    this.#abandon(id, undefined)
  }

  /** Drops waiting blocks that can no longer be issued, after others were decided. */
  prune(): void {
    for (const [id, { block }] of [...this.#waiting]) if (this.#isDecided(block)) this.#abandon(id, block.parentID)
  }

  /** The nearest ancestor of a block that is in the tree, or the block itself. */
  processingAncestor(id: ID): ID | undefined {
    let at: ID | undefined = id
    for (let steps = 0; at !== undefined && steps < REMEMBERED; steps++) {
      if (this.#snowman.isProcessing(at)) return at
      at = this.#waiting.get(at)?.block.parentID ?? this.#unissued.get(at)
    }
    return undefined
  }

  /** Returns whether a block is being fetched from a node that withholds blocks, and this node does not. */
  #isBetterSource(id: ID, from: NodeID): boolean {
    const source = this.#fetching.get(id)
    return source !== undefined && source !== from && this.#port.isWithholding(source) && !this.#port.isWithholding(from)
  }

  #isReady(parentID: ID): boolean {
    return parentID === this.#chain.lastAccepted.id || this.#snowman.isProcessing(parentID)
  }

  /** Decided are blocks up to the last accepted height, and those directly above it that follow another block. */
  #isDecided({ height, parentID }: OuterBlock): boolean {
    const { lastAccepted } = this.#chain
    return height <= lastAccepted.height || (height === lastAccepted.height + 1n && parentID !== lastAccepted.id)
  }

  #issue(block: OuterBlock): void {
    if (!this.#verify(block)) {
      this.#abandon(block.id, block.parentID)
      return
    }
    this.#waiting.delete(block.id)
    this.#add(block)
    for (const option of this.#port.optionsOf(block)) if (this.#verify(option)) this.#add(option)
    this.#port.resolved(block.id)
    for (const { block: child } of [...this.#waiting.values()]) if (this.#isReady(child.parentID)) this.#issue(child)
  }

  #add(block: OuterBlock): void {
    if (this.#snowman.isProcessing(block.id)) return
    this.#snowman.add(block)
    this.#port.issued(block)
  }

  #verify(block: OuterBlock): boolean {
    try {
      this.#chain.verify(block, { nowSeconds: this.#port.nowSeconds(), isBootstrapping: false })
      return true
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      this.#port.refused(block, error)
      return false
    }
  }

  /** A block will not be issued, nor will those that wait for it. */
  #abandon(id: ID, parentID: ID | undefined): void {
    this.#waiting.delete(id)
    if (parentID !== undefined) this.#unissued.set(id, parentID)
    for (const [child, { block }] of [...this.#waiting]) if (block.parentID === id) this.#abandon(child, id)
    this.#port.resolved(id)
  }
}
