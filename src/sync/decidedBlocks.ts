import { clockFor, type OuterBlock } from "../core/consensus/proposer/outerBlock.js"
import type { OuterChain } from "../core/consensus/proposer/outerChain.js"
import { putWarpHeight } from "../core/consensus/proposer/wrapperStore.js"
import { Invalid } from "../core/lib/invalid.js"
import type { Diff } from "../core/state/diff.js"

export interface DecidedBlocksOptions {
  readonly outer: OuterChain
  /** True if the wrappers do not name the P-Chain heights of Warp messages, as those of a private chain or a fork. */
  readonly isPrivate: boolean
  /** True if blocks from the future of the machine's clock are refused, as of a network whose nodes have right clocks. */
  readonly waitsForClock?: boolean
}

/**
 * Extends a chain by blocks that others have decided, such as those of a file: each is verified by the rules of bootstrapping and accepted,
 * with its wrapper. After the first block that lacks its wrapper none is stored, because the next wrapper names the missing one as its parent.
 */
export class DecidedBlocks {
  readonly #options: DecidedBlocksOptions
  #isBare = false

  constructor(options: DecidedBlocksOptions) {
    this.#options = options
  }

  /** `warpHeight` is the P-Chain height at which its Warp messages are verified, if it is known besides the wrapper. Throws `Invalid`. */
  accept(block: OuterBlock, wall: bigint, warpHeight: bigint | undefined): void {
    const { outer, waitsForClock = false } = this.#options
    const now = waitsForClock ? wall : clockFor(block, wall)
    const record = (changes: Diff) => {
      if (warpHeight !== undefined) putWarpHeight(changes, block.inner, warpHeight)
    }
    if (!this.#isBare && this.#isVerifiedWrapped(block, now, warpHeight)) {
      outer.accept(block.id, record)
      return
    }
    outer.chain.verify(block.inner, { now, ...(warpHeight === undefined ? {} : { pChainHeight: warpHeight }) })
    outer.chain.accept(block.inner.id, record)
  }

  /** Verifies a block with its wrapper. Returns false if it lacks its wrapper, or the block before it does. */
  #isVerifiedWrapped(block: OuterBlock, nowSeconds: bigint, given: bigint | undefined): boolean {
    const { outer, isPrivate } = this.#options
    try {
      outer.verify(block, { nowSeconds, isBootstrapping: true, warpHeight: given ?? (isPrivate ? "unknown" : undefined) })
    } catch (error) {
      this.#isBare = error instanceof Invalid && this.#isWithoutWrapper(block, error.code)
      if (!this.#isBare) throw error
    }
    return !this.#isBare
  }

  #isWithoutWrapper({ inner }: OuterBlock, code: string): boolean {
    if (code === "consensus.expected_wrapper") return true
    const { height, wrapper, inner: parent } = this.#options.outer.lastAccepted
    if (height === 0n || wrapper || inner.parentID !== parent.id) return false
    // The wrapper of a network's block names that of its parent, which is not here. A private chain may have wrappers of its own on bare blocks.
    return this.#options.isPrivate ? code.startsWith("consensus.") : code === "consensus.unknown_parent"
  }
}
