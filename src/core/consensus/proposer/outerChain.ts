import type { Chain } from "../../chain/chain.js"
import { optionBlock, preferredOption, type UptimeOf } from "../../chain/options.js"
import { LruCache } from "../../lib/lruCache.js"
import { isActive } from "../../networks/upgrades.js"
import type { Diff } from "../../state/diff.js"
import { type ID, idText } from "../../types/id.js"
import { consensusError } from "../errors.js"
import { checkProposer, windowerFor } from "./checkProposer.js"
import { decodeInner, isProposal, type OuterBlock, type OuterHeader, outerOption } from "./outerBlock.js"
import type { Windower } from "./windower.js"
import { checkWrapper, type OuterParent, type WrapperContext } from "./wrapperRules.js"
import { heightOfOuter, outerBytesAt, outerIDAt, outerParentOf, putWrapper, requireOuterBlock } from "./wrapperStore.js"

/** The number of blocks whose children's proposers are kept, some 100 kB each on Mainnet. */
const MAX_WINDOWERS = 16

/** The conditions in which a block is verified. */
export interface VerifyOuter extends Pick<WrapperContext, "nowSeconds" | "isBootstrapping"> {
  /**
   * The P-Chain height at which Warp messages are verified, if the wrapper does not name it. A private chain may verify them at the last
   * accepted height; `unknown` then means the highest height at which all are valid.
   */
  readonly warpHeight?: bigint | "unknown" | undefined
}

/** The chain as other nodes see it: blocks in their wrappers, under the wrappers' IDs. */
export class OuterChain {
  readonly chain: Chain
  readonly #processing = new Map<ID, OuterBlock>()
  /** The proposers of the children of recent blocks. With 1,500 validators, finding them takes 7 ms. */
  readonly #windowers = new LruCache<Windower>(MAX_WINDOWERS)
  #lastAccepted: OuterBlock

  constructor(chain: Chain) {
    this.chain = chain
    this.#lastAccepted = requireOuterBlock(chain.state, chain.lastAccepted.height)
  }

  get lastAccepted(): OuterBlock {
    return this.#lastAccepted
  }

  /** A verified block that is not decided. */
  processing(id: ID): OuterBlock | undefined {
    return this.#processing.get(id)
  }

  /** True if the next blocks may lack a wrapper, because the last accepted block is older than wrappers. The options of a bare proposal are known. */
  get hasBareBlocks(): boolean {
    const last = this.#lastAccepted
    return !last.wrapper && !isActive(this.chain.rules.upgrades, "apricotPhase4", this.parentFor(last).timestamp)
  }

  /**
   * Verifies a block on its parent, which is the last accepted block or a verified one. The block in the wrapper is decoded once the wrapper
   * and its proposer are verified. Returns the decoded block. Throws `Invalid` if it breaks a rule.
   */
  verify(header: OuterHeader, options: VerifyOuter): OuterBlock {
    const known = this.#processing.get(header.id)
    if (known) return known
    const parent = this.#parentOf(header)
    const { rules, lastAccepted } = this.chain
    const { upgrades } = rules
    const named = checkWrapper(header, parent, { ...options, upgrades, currentHeight: lastAccepted.height })
    if (!options.isBootstrapping) checkProposer(header, parent, () => this.windowerFor(parent), upgrades)
    const block = decodeInner(header)
    const expected = parent.block.inner.id
    const got = block.inner.parentID
    if (got !== expected) throw consensusError("consensus.inner_parent", { expected: idText(expected), got: idText(got) })
    const pChainHeight = options.warpHeight ?? named
    this.chain.verify(block.inner, { now: options.nowSeconds, ...(pChainHeight === "unknown" ? {} : { pChainHeight }) })
    this.#processing.set(block.id, block)
    return block
  }

  /** Returns the options of a verified or accepted proposal, the one that this node prefers first. Every node makes the same two. */
  optionsOf(proposal: OuterBlock, uptimeOf: UptimeOf = () => undefined): readonly OuterBlock[] {
    const { inner } = proposal
    if (!isProposal(inner)) return []
    const preferred = preferredOption(inner, this.chain.state, this.chain.rules, uptimeOf)
    const other = preferred === "commit" ? "abort" : "commit"
    return ([preferred, other] as const).map((option) => outerOption(proposal, optionBlock(inner, option)))
  }

  /** Accepts a verified child of the last accepted block. `record` adds rows that are written together with it. */
  accept(id: ID, record?: (changes: Diff) => void): OuterBlock {
    const block = this.#processing.get(id)
    if (!block || block.parentID !== this.#lastAccepted.id) throw new Error(`block ${idText(id)} cannot be accepted now`)
    this.chain.accept(block.inner.id, (changes) => {
      putWrapper(changes, block)
      record?.(changes)
    })
    // Consensus rejects the others itself; a node that has fallen behind and bootstraps does not.
    for (const [other, { inner }] of this.#processing) if (inner.height <= block.inner.height) this.#processing.delete(other)
    this.#lastAccepted = block
    return block
  }

  /** Forgets a verified block that was rejected. Its inner block may stay for another wrapper of it. */
  reject(id: ID): void {
    this.#processing.delete(id)
  }

  idAt(height: bigint): ID | undefined {
    return height === this.#lastAccepted.height ? this.#lastAccepted.id : outerIDAt(this.chain.state, height)
  }

  bytesAt(height: bigint): Uint8Array | undefined {
    return height === this.#lastAccepted.height ? this.#lastAccepted.bytes : outerBytesAt(this.chain.state, height)
  }

  /** The height of an accepted block; `undefined` for other IDs. */
  heightOf(id: ID): bigint | undefined {
    return id === this.#lastAccepted.id ? this.#lastAccepted.height : heightOfOuter(this.chain.state, id)
  }

  /** The bytes of a block that is verified or accepted. */
  bytesOf(id: ID): Uint8Array | undefined {
    const undecided = this.#processing.get(id)
    if (undecided) return undecided.bytes
    const height = this.heightOf(id)
    return height === undefined ? undefined : this.bytesAt(height)
  }

  /** Returns a block as the parent of its children, against which their wrappers are checked. */
  parentFor(block: OuterBlock): OuterParent {
    return outerParentOf(block, this.chain.state, this.#processing.get(block.parentID))
  }

  /** Returns the windower for the child of a block, whose validators are those of a past height, so that they stay the same. */
  windowerFor(parent: OuterParent): Windower {
    return this.#windowers.valueOf(parent.block.id, () => windowerFor(parent, this.chain.state))
  }

  #parentOf(block: OuterHeader): OuterParent {
    const parent = block.parentID === this.#lastAccepted.id ? this.#lastAccepted : this.#processing.get(block.parentID)
    if (!parent) throw consensusError("consensus.unknown_parent", { parentID: idText(block.parentID) }).dependingOn("height")
    return this.parentFor(parent)
  }
}
