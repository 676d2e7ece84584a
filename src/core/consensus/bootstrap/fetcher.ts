import type { StatePort } from "../../chain/statePort.js"
import type { ParseCertificate } from "../../crypto/certificate.js"
import { certificateCache } from "../../crypto/certificateCache.js"
import type { Invalid } from "../../lib/invalid.js"
import type { Random } from "../../p2p/random.js"
import { type ID, idText, type NodeID } from "../../types/id.js"
import { consensusError } from "../errors.js"
import { type OuterBlock, readBlockOf } from "../proposer/outerBlock.js"
import type { OuterChain } from "../proposer/outerChain.js"
import { FetchedBlocks } from "./fetchedBlocks.js"
import { PeerChoice } from "./peerChoice.js"

export interface FetcherOptions {
  readonly chain: OuterChain
  readonly state: StatePort
  readonly random: Random
  /** Most blocks of an answer that are used. */
  readonly maxAncestors: number
  /** Requests a block and its ancestors from a node. Returns false if the node cannot be asked. */
  request(nodeID: NodeID, id: ID, now: number): boolean
}

/**
 * Fetches blocks with their ancestors, from the requested ones down to the last accepted one, and stores them until they are executed.
 * Every stored block is an ancestor of a requested one.
 */
export class Fetcher {
  readonly #options: FetcherOptions
  readonly blocks: FetchedBlocks
  readonly peers: PeerChoice
  readonly #parseCertificate: ParseCertificate
  /** Blocks to request, with their height if it is known. */
  readonly #missing = new Map<ID, bigint | undefined>()
  readonly #requested = new Set<ID>()
  #newest = 0n

  constructor(options: FetcherOptions) {
    this.#options = options
    this.peers = new PeerChoice(options.random)
    this.#parseCertificate = certificateCache(options.chain.chain.rules.crypto.parseCertificate)
    this.blocks = new FetchedBlocks(options.state, options.chain.lastAccepted.height)
  }

  get isComplete(): boolean {
    return this.#missing.size === 0
  }

  get newest(): bigint {
    return this.#newest
  }

  /** The lowest height that is known to be missing. */
  get lowestMissing(): bigint {
    let lowest = this.#newest
    for (const height of this.#missing.values()) if (height !== undefined && height < lowest) lowest = height
    return lowest
  }

  /** Continues where an earlier run stopped. */
  resume(): void {
    for (const { id, height } of this.blocks.missingParents(this.#options.chain.lastAccepted.height))
      this.#missing.set(id, height)
  }

  /** Adds a block to be fetched, unless it is accepted. */
  want(id: ID): void {
    if (this.#options.chain.heightOf(id) === undefined && !this.#missing.has(id)) this.#missing.set(id, undefined)
  }

  /** Requests missing blocks, the lowest first, with one request to a node at a time. */
  requestMissing(now: number): void {
    const byHeight = [...this.#missing].sort(([, a], [, b]) => Number((a ?? -1n) - (b ?? -1n)))
    for (const [id] of byHeight) {
      if (this.#requested.has(id)) continue
      const nodeID = this.peers.take()
      if (nodeID === undefined) return
      if (this.#options.request(nodeID, id, now)) this.#requested.add(id)
      else this.peers.failed(nodeID)
    }
  }

  failed(nodeID: NodeID, id: ID, now: number): void {
    this.#requested.delete(id)
    this.peers.failed(nodeID)
    this.requestMissing(now)
  }

  /** Handles an answer that took this many milliseconds. Throws `consensus.other_chain` if the blocks lead to another chain. */
  answered(nodeID: NodeID, id: ID, containers: readonly Uint8Array[], milliseconds: number, now: number): void {
    this.#requested.delete(id)
    const blocks = pathFrom(id, containers.slice(0, this.#options.maxAncestors), this.#parseCertificate)
    if (blocks.length === 0) this.peers.failed(nodeID)
    else {
      this.peers.answered(nodeID, sizeOf(containers), milliseconds)
      this.#keep(id, blocks)
    }
    this.requestMissing(now)
  }

  /** Stores the new blocks, and records which one is missing below them. */
  #keep(wanted: ID, blocks: readonly OuterBlock[]): void {
    const { lastAccepted } = this.#options.chain
    this.#missing.delete(wanted)
    const end = blocks.findIndex((block) => block.height <= lastAccepted.height || this.#isKept(block))
    const fresh = end < 0 ? blocks : blocks.slice(0, end)
    this.blocks.put(fresh)
    for (const { id } of fresh) this.#missing.delete(id)
    const newest = (blocks[0] as OuterBlock).height
    if (newest > this.#newest) this.#newest = newest
    const lowest = fresh.at(-1)
    const known = end < 0 ? undefined : blocks[end]
    if (known && known.height <= lastAccepted.height) this.#checkAccepted(known)
    else if (!known && lowest) this.#wantParentOf(lowest)
  }

  /** Returns whether exactly this block is stored already. Another one at its height does not belong to the chain, and is dropped. */
  #isKept(block: OuterBlock): boolean {
    const known = this.blocks.get(block.height)
    if (!known || known.id === block.id) return known !== undefined
    this.blocks.dropFrom(block.height)
    return false
  }

  #wantParentOf({ height: childHeight, parentID }: OuterBlock): void {
    const { lastAccepted } = this.#options.chain
    const height = childHeight - 1n
    if (height === lastAccepted.height) {
      if (parentID !== lastAccepted.id) throw otherChain(height, parentID, lastAccepted.id)
      return
    }
    const known = this.blocks.get(height)
    if (known?.id === parentID) return
    if (known) this.blocks.dropFrom(height)
    this.#missing.set(parentID, height)
  }

  #checkAccepted({ height, id }: OuterBlock): void {
    const own = this.#options.chain.idAt(height)
    if (own !== id) throw otherChain(height, id, own)
  }
}

/** Returns the blocks of an answer that follow each other from the requested one down. It is empty if the answer is false. */
function pathFrom(wanted: ID, containers: readonly Uint8Array[], parseCertificate: ParseCertificate): OuterBlock[] {
  const path: OuterBlock[] = []
  let expected = wanted
  for (const bytes of containers) {
    // A block is copied, because it could keep a large message in memory.
    const block = readBlockOf(expected, bytes.slice(), { parseCertificate })
    if (!block) break
    path.push(block)
    expected = block.parentID
  }
  return path
}

const sizeOf = (containers: readonly Uint8Array[]) => containers.reduce((sum, { length }) => sum + length, 0)

/** Makes the refusal of a chain that differs from this one at a decided height. */
export function otherChain(height: bigint, got: ID, own: ID | undefined): Invalid {
  const expected = own === undefined ? undefined : idText(own)
  return consensusError("consensus.other_chain", { height, blockID: idText(got), expected })
}
