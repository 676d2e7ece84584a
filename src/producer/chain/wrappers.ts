import type { Block } from "../../core/blocks/block.js"
import { RecentBlocks } from "../../core/chain/recentBlocks.js"
import { wrapBlock } from "../../core/consensus/proposer/wrapBlock.js"
import type { OuterParent } from "../../core/consensus/proposer/wrapperRules.js"
import { outerParentOf, putWrapper, requireOuterBlock } from "../../core/consensus/proposer/wrapperStore.js"
import { max } from "../../core/lib/math64.js"
import { chainTimeOf, type Rules } from "../../core/rules/context.js"
import { contextHeight, newEpoch, type WrapperPosition, ZERO_EPOCH } from "../../core/rules/epoch.js"
import { Diff } from "../../core/state/diff.js"
import { heightOf } from "../../core/state/tables.js"
import type { Edits, View } from "../../core/state/view.js"
import type { Epoch } from "../../core/types/proposervm.js"
import type { ReadableClock } from "../clock/clock.js"
import { devTables } from "../tables.js"

/** Options of the ProposerVM wrappers of a private chain, which choose the P-Chain height of Warp messages. */
export interface WrapperOptions {
  readonly rules: Rules
  readonly clock: ReadableClock
  /** True for AvalancheGo's delay and epochs; otherwise the last accepted height is used everywhere. */
  readonly hasLag: boolean
  /** The recently accepted blocks at the moment of the state. By default there are none, as after a start. */
  readonly recent?: RecentBlocks | undefined
}

/**
 * Makes the ProposerVM wrappers of this chain's blocks, with their P-Chain heights and epochs. They are written unsigned beside the blocks,
 * so that other nodes can fetch the chain. They matter for Warp messages, the proposed height and the current epoch.
 */
export class Wrappers {
  readonly #rules: Rules
  readonly #clock: ReadableClock
  readonly #hasLag: boolean
  readonly #recent: RecentBlocks
  #last: WrapperPosition
  #height: bigint
  /** The last block with its wrapper, as it is written. */
  #outer: OuterParent

  /** Continues after the last block of a state. */
  constructor(state: View, { rules, clock, hasLag, recent }: WrapperOptions) {
    this.#recent = recent?.copy() ?? new RecentBlocks()
    this.#rules = rules
    this.#clock = clock
    this.#hasLag = hasLag
    this.#height = heightOf(state)
    this.#outer = outerParentOf(requireOuterBlock(state, this.#height), state)
    this.#last = state.get(devTables.wrapper, null) ?? { timestamp: chainTimeOf(state), pChainHeight: 0n, epoch: ZERO_EPOCH }
  }

  /** The recently accepted blocks at present. */
  get recent(): RecentBlocks {
    return this.#recent.copy()
  }

  /** Returns the height at which the Warp messages of a block made now are verified. */
  contextHeight(): bigint {
    if (!this.#hasLag) return this.#height
    return contextHeight(this.#rules.upgrades, this.#next(), this.#last.pChainHeight)
  }

  /** Returns the height that a block made now would name. */
  proposedHeight(): bigint {
    return this.#hasLag ? this.#next().pChainHeight : this.#height
  }

  currentEpoch(): Epoch {
    const { epoch } = this.#next()
    return this.#hasLag ? epoch : { ...epoch, pChainHeight: this.#height }
  }

  /** Writes the wrapper of a block into the changes that accept it. */
  record(changes: Diff, block: Block): void {
    const { pChainHeight } = this.#next()
    this.#outer = wrapBlock(block, this.#outer, {
      upgrades: this.#rules.upgrades,
      nowSeconds: this.#clock.now(),
      pChainHeight,
    })
    putWrapper(changes, this.#outer.block)
  }

  /**
   * Updates the wrapper after a block was accepted, together with its option if it proposed something. Both share a wrapper's time, height
   * and epoch.
   */
  accepted(heights: readonly bigint[]): void {
    this.#last = this.#next()
    for (const height of heights) this.#recent.add(height, this.#clock.milliseconds())
    this.#height = heights.at(-1) ?? this.#height
  }

  /** Returns the row to be written with the blocks. */
  editsOn(view: View): Edits {
    const diff = new Diff(view)
    diff.put(devTables.wrapper, null, this.#last)
    return diff.edits
  }

  #next(): WrapperPosition {
    const timestamp = max(this.#clock.now(), this.#last.timestamp)
    const minimum = this.#recent.minimumHeight(this.#height, this.#clock.milliseconds())
    const pChainHeight = max(minimum, this.#last.pChainHeight)
    return { timestamp, pChainHeight, epoch: newEpoch(this.#rules.upgrades, this.#last, timestamp) }
  }
}
