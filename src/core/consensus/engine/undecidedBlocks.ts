import { txsOf } from "../../blocks/block.js"
import { Invalid } from "../../lib/invalid.js"
import { LruCache } from "../../lib/lruCache.js"
import { wholeSeconds } from "../../lib/wholeSeconds.js"
import { BytesOfNodes } from "../../p2p/byteRoom.js"
import type { RequestHeader } from "../../p2p/requests.js"
import type { ID, NodeID } from "../../types/id.js"
import { get } from "../chainMessages.js"
import { type OuterBlock, type OuterHeader, readHeader, VERIFIED_BEFORE } from "../proposer/outerBlock.js"
import { Snowman } from "../snowman/snowman.js"
import type { ConsensusOptions } from "./enginePort.js"
import { RefusedBlocks } from "./refusedBlocks.js"
import type { ValidatorRequests } from "./validatorRequests.js"

/** A block that waits for its parent. It stays bytes until the parent is there. */
interface WaitingBlock extends Pick<OuterHeader, "id" | "parentID" | "height" | "bytes"> {
  readonly from: NodeID
}

/** A change of a block that matters to polls: it was put into the tree; or it is in the tree or abandoned, so that votes for it count. */
export type BlockChange = { readonly kind: "issued"; readonly block: OuterBlock } | { readonly kind: "resolved"; readonly id: ID }

/** The number of blocks above the last accepted one up to which blocks wait for their parents. A node that is further behind bootstraps again. */
export const MAX_AHEAD = 512n
/** The maximum number of blocks that are fetched from one node at a time. */
const MAX_FETCHES = 64
/** The bytes that a waiting block takes besides its own. */
const OVERHEAD = 1024
const REMEMBERED = 4096

/**
 * The blocks that are not accepted. Each has one state:
 *
 * - being fetched: a node named the block (`want`).
 * - waiting: it arrived, and its parent is not there (`take`).
 * - in the tree: it arrived (`take`) or its parent did (`#issue`), and it is valid.
 * - abandoned: it did not arrive (`undelivered`), is not valid, or can no longer be accepted (`#abandon`).
 *
 * The blocks that wait are limited by bytes, for each sender and for all together, like waiting messages. Times are Unix milliseconds.
 */
export class UndecidedBlocks {
  readonly tree: Snowman
  readonly refused = new RefusedBlocks()
  readonly #options: ConsensusOptions
  readonly #requests: ValidatorRequests
  /** The node from which each block is being fetched. */
  readonly #fetching = new Map<ID, NodeID>()
  /** In the order of arrival. */
  readonly #waiting = new Map<ID, WaitingBlock>()
  readonly #byParent = new Map<ID, Set<ID>>()
  readonly #bytes: BytesOfNodes
  /** The parents of abandoned blocks: votes for these blocks count for the nearest ancestor in the tree. */
  readonly #abandoned = new LruCache<ID>(REMEMBERED)
  #changes: BlockChange[] = []

  constructor(options: ConsensusOptions, requests: ValidatorRequests) {
    this.#options = options
    this.#requests = requests
    this.tree = new Snowman(options.parameters, options.chain.lastAccepted)
    this.#bytes = new BytesOfNodes((nodeID) => requests.stake.shareOf(nodeID), options.room)
  }

  get waitingBytes(): number {
    return this.#bytes.total
  }

  /** Returns the changes since the last call, in their order. */
  takeChanges(): readonly BlockChange[] {
    const changes = this.#changes
    this.#changes = []
    return changes
  }

  /** Returns whether a block is in the tree, or accepted. */
  isKnown(id: ID): boolean {
    return this.tree.isProcessing(id) || this.#options.chain.heightOf(id) !== undefined
  }

  /** Returns whether a block is being fetched, or waits for its parent. */
  isPending(id: ID): boolean {
    return this.#fetching.has(id) || this.#waiting.has(id)
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

  /** A node names a block: it is fetched, unless it is known, on its way, or was just refused. Returns true if it is on its way. */
  want(id: ID, from: NodeID, now: number): boolean {
    if (this.isKnown(id) || this.#refusedAt(now).has(id)) return false
    if (this.isPending(id) && !this.#isBetterSource(id, from, now)) return true
    const data = { kind: "get", id } as const
    const message = (header: RequestHeader) => get(header, id)
    const isAsked = this.#fetchesFrom(from) < MAX_FETCHES && this.#requests.open.ask(from, { data, answer: "put", message }, now)
    if (!isAsked) return this.isPending(id)
    this.#fetching.set(id, from)
    return true
  }

  #fetchesFrom(from: NodeID): number {
    let count = 0
    for (const source of this.#fetching.values()) if (source === from) count++
    return count
  }

  /** Returns whether a block is being fetched from a node that withholds blocks, and this node does not. */
  #isBetterSource(id: ID, from: NodeID, now: number): boolean {
    const source = this.#fetching.get(id)
    if (source === undefined || source === from) return false
    return this.#requests.isWithholding(source, now) && !this.#requests.isWithholding(from, now)
  }

  /** A node does not deliver a block. */
  undelivered(id: ID, from: NodeID): void {
    if (this.#fetching.get(id) !== from) return
    this.#fetching.delete(id)
    this.#abandon({ id, parentID: undefined })
  }

  /** A block arrived from a node, requested or not; or it is one of this node, whose parent cannot be fetched. */
  take(block: OuterHeader, from: NodeID | undefined, now: number): void {
    const { id, parentID } = block
    this.#fetching.delete(id)
    if (this.#waiting.has(id)) return
    if (this.isKnown(id) || this.#isDecided(block)) this.#resolved(id)
    else if (this.#refusedAt(now).has(id)) this.#abandon(block)
    else if (this.#isReady(parentID)) this.#issue(block, from, now)
    else if (from !== undefined && !this.#isFar(block) && this.#makeRoom(from)) {
      this.#wait(block, from)
      if (!this.want(parentID, from, now)) this.#abandon(block)
    } else this.#abandon(block)
  }

  /** Decided are blocks up to the last accepted height, and those directly above it that follow another block. */
  #isDecided({ height, parentID }: Pick<OuterHeader, "height" | "parentID">): boolean {
    const { lastAccepted } = this.#options.chain
    if (height === undefined) return false
    return height <= lastAccepted.height || (height === lastAccepted.height + 1n && parentID !== lastAccepted.id)
  }

  /** Returns whether a block that follows this one can be verified. */
  #isReady(parentID: ID): boolean {
    return parentID === this.#options.chain.lastAccepted.id || this.tree.isProcessing(parentID)
  }

  #isFar({ height }: OuterHeader): boolean {
    return height !== undefined && height > this.#options.chain.lastAccepted.height + MAX_AHEAD
  }

  /**
   * Returns whether a block of a node may wait. The node's own blocks that have waited longest make room for it: a chain of blocks is fetched
   * from the newest down, and its oldest blocks are issued first. The others are fetched again after that.
   */
  #makeRoom(from: NodeID): boolean {
    while (!this.#bytes.hasRoomFor(from)) {
      const longest = [...this.#waiting.values()].find((block) => block.from === from)
      if (!longest) return false
      this.#abandon(longest)
    }
    return true
  }

  #wait({ id, parentID, height, bytes }: OuterHeader, from: NodeID): void {
    this.#waiting.set(id, { id, parentID, height, bytes, from })
    this.#byParent.set(parentID, (this.#byParent.get(parentID) ?? new Set()).add(id))
    this.#bytes.add(from, bytes.length + OVERHEAD)
  }

  #waitingFor(parentID: ID): WaitingBlock[] {
    return [...(this.#byParent.get(parentID) ?? [])].map((id) => this.#waiting.get(id) as WaitingBlock)
  }

  /** The block waits no longer: it is issued, or abandoned. */
  #endWaiting(id: ID): void {
    const block = this.#waiting.get(id)
    if (!block) return
    this.#waiting.delete(id)
    const siblings = this.#byParent.get(block.parentID) as Set<ID>
    siblings.delete(id)
    if (siblings.size === 0) this.#byParent.delete(block.parentID)
    this.#bytes.add(block.from, -block.bytes.length - OVERHEAD)
  }

  /** Verifies a block whose parent is there, puts it into the tree, and goes on with those that wait for it. */
  #issue(first: OuterHeader, sender: NodeID | undefined, now: number): void {
    const ready: (OuterHeader | WaitingBlock)[] = [first]
    for (const next of ready) {
      const [header, from] = "from" in next ? [this.#readAgain(next), next.from] : [next, sender]
      const block = header && this.#verify(header, from, now)
      if (!block) {
        this.#abandon(next)
        continue
      }
      this.#endWaiting(block.id)
      this.#add(block)
      const options = this.#options.port.optionsOf(block).filter((option) => this.#verify(option, from, now))
      for (const option of options) this.#add(option)
      this.#resolved(block.id)
      for (const { id } of [block, ...options]) ready.push(...this.#waitingFor(id))
    }
  }

  /** Reads the wrapper of a block whose parent is there now. Its signature was verified when it arrived. */
  #readAgain({ bytes }: WaitingBlock): OuterHeader | undefined {
    return readHeader(bytes, this.#options.chain.hasBareBlocks, VERIFIED_BEFORE)
  }

  #verify(block: OuterHeader, from: NodeID | undefined, now: number): OuterBlock | undefined {
    try {
      return this.#options.chain.verify(block, { nowSeconds: this.#nowSeconds(now), isBootstrapping: false })
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      this.#refusedAt(now).add(block.id)
      this.#noteRefusal(block, error, from)
      return undefined
    }
  }

  #nowSeconds(now: number): bigint {
    return this.#options.unixSeconds?.() ?? wholeSeconds(now)
  }

  #refusedAt(now: number): Set<ID> {
    return this.refused.at(`${this.#nowSeconds(now)} ${this.#options.chain.lastAccepted.id}`)
  }

  /**
   * Remembers a refused block. One that this node's clock refuses, or that follows an undecided block and is refused because of this node's
   * height, may be valid later: it is fetched again when a validator names it. So is one of a node without stake, which could send any number
   * of them.
   */
  #noteRefusal({ id, parentID, bytes }: OuterHeader, reason: Invalid, from: NodeID | undefined): void {
    if (from === undefined || this.#requests.stake.weightOf(from) === 0n) return
    const { chain } = this.#options
    const isLater = reason.dependsOn === "height" && parentID !== chain.lastAccepted.id
    if (reason.dependsOn === "clock" || isLater) return
    const { height } = chain.processing(parentID) ?? chain.lastAccepted
    this.refused.add({ id, parentID, bytes, height: height + 1n }, reason)
  }

  #add(block: OuterBlock): void {
    if (this.tree.isProcessing(block.id)) return
    const { chain } = this.#options.chain
    this.tree.add(
      block,
      txsOf(block.inner).every((tx) => chain.checks(tx)),
    )
    this.refused.forget(block.id)
    this.#changes.push({ kind: "issued", block })
  }

  /** Abandons the waiting blocks that can no longer be issued, after others were decided. */
  abandonDecided(): void {
    for (const block of [...this.#waiting.values()]) if (this.#isDecided(block)) this.#abandon(block)
  }

  /** A block will not be issued, nor will those that wait for it. The parent of a block that never arrived is unknown. */
  #abandon(first: { readonly id: ID; readonly parentID: ID | undefined }): void {
    const abandoned = [first]
    for (const { id, parentID } of abandoned) {
      this.#endWaiting(id)
      if (parentID !== undefined) this.#abandoned.set(id, parentID)
      abandoned.push(...this.#waitingFor(id))
      this.#resolved(id)
    }
  }

  #resolved(id: ID): void {
    this.#changes.push({ kind: "resolved", id })
  }
}
