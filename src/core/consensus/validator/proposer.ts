import { txsOf } from "../../blocks/block.js"
import { type BuildResult, buildBlock } from "../../chain/builder.js"
import type { Mempool } from "../../chain/mempool.js"
import { wholeSeconds } from "../../lib/wholeSeconds.js"
import type { View } from "../../state/view.js"
import type { Tx } from "../../txs/tx.js"
import type { ID } from "../../types/id.js"
import type { OuterBlock } from "../proposer/outerBlock.js"
import type { OuterChain } from "../proposer/outerChain.js"
import { type Turn, turnAt } from "../proposer/turnAt.js"
import { slotOf } from "../proposer/windower.js"
import { childContextHeight, type ProposerKey, type WrapperMoment, wrapBlock } from "../proposer/wrapBlock.js"
import type { OuterParent } from "../proposer/wrapperRules.js"
import type { SignedBlocks } from "./signedBlocks.js"

export interface ProposerOptions {
  readonly chain: OuterChain
  readonly key: ProposerKey
  readonly signed: SignedBlocks
  /** The transactions that wait for a block. */
  readonly pool: Mempool
  /** The minimum number of milliseconds between a block and its parent's time. Other nodes do not check it. */
  readonly minBlockDelayMs: number
  /** The machine's clock, Unix milliseconds. */
  unixMs(): number
  /** The P-Chain height that most nodes have accepted by now. */
  recommendedHeight(): bigint
}

/** Builds and signs a block when it is this node's turn and there is a reason: transactions wait, or stakers are due. */
export class Proposer {
  readonly #options: ProposerOptions
  /** The owner of the slot at the last check of this tip. */
  #turn: { readonly tip: ID; readonly turn: Turn } | undefined
  /** The tip, second and mempool of the last attempt. The same ones give the same result. */
  #lastAttempt = ""

  constructor(options: ProposerOptions) {
    this.#options = options
  }

  /**
   * Returns the block that this node proposes now on the tip of the preferred branch; `undefined` if it is not its turn, or nothing waits.
   */
  blockOn(tip: OuterBlock): OuterBlock | undefined {
    const { chain, minBlockDelayMs, pool } = this.#options
    const nowMs = this.#options.unixMs()
    const second = wholeSeconds(nowMs)
    const attempt = `${tip.id} ${second} ${pool.version}`
    if (attempt === this.#lastAttempt) return undefined
    const state = chain.chain.stateAfter(tip.inner.id)
    if (!state) return undefined
    const parent = chain.parentFor(tip)
    const turn = this.#turnOn(parent, second)
    if (turn.isOwn && nowMs < Number(parent.timestamp) * 1000 + minBlockDelayMs) return undefined
    this.#lastAttempt = attempt
    if (!turn.isOwn) return undefined
    return turn.isSigned ? this.#signed(parent, state, second) : this.#build(parent, state, second, undefined)
  }

  #turnOn(parent: OuterParent, nowSeconds: bigint): Turn {
    const { chain, key } = this.#options
    const tip = parent.block.id
    const known = this.#turn?.tip === tip ? this.#turn : undefined
    if (known && (known.turn.until === undefined || nowSeconds < known.turn.until)) return known.turn
    const { upgrades } = chain.chain.rules
    const turn = turnAt(parent, { windower: chain.windowerFor(parent), nodeID: key.nodeID, nowSeconds, upgrades })
    this.#turn = { tip, turn }
    return turn
  }

  /**
   * Returns the block that was signed for this slot earlier, as long as it fits; otherwise a new one, which is written before it is
   * returned.
   */
  #signed(parent: OuterParent, state: View, nowSeconds: bigint): OuterBlock | undefined {
    const { signed, chain, key } = this.#options
    const height = parent.block.height + 1n
    const slot = slotOf(parent.timestamp, nowSeconds)
    const earlier = signed.get(height, slot)
    if (earlier) return earlier.parentID === parent.block.id ? earlier : undefined
    const block = this.#build(parent, state, nowSeconds, key)
    if (block) signed.put(block, slot, chain.lastAccepted.height)
    return block
  }

  #build(parent: OuterParent, state: View, nowSeconds: bigint, key: ProposerKey | undefined): OuterBlock | undefined {
    const { chain, recommendedHeight } = this.#options
    const { upgrades } = chain.chain.rules
    const moment: WrapperMoment = { upgrades, nowSeconds, pChainHeight: recommendedHeight(), key }
    const built = buildBlock(this.#waitingOn(parent.block), {
      parent: parent.block.inner,
      state,
      blockContext: chain.chain.blockContextAt(nowSeconds),
      pChainHeight: childContextHeight(parent, moment),
    })
    if (parent.block.id === chain.lastAccepted.id) this.#drop(built)
    return built.block && wrapBlock(built.block, parent, moment).block
  }

  /** The waiting transactions that this node can check, and that are not in an undecided block of this branch. */
  #waitingOn(tip: OuterBlock): Tx[] {
    const { chain, pool } = this.#options
    const taken = new Set<ID>()
    let block = chain.processing(tip.id)
    while (block) {
      for (const { id } of txsOf(block.inner)) taken.add(id)
      block = chain.processing(block.parentID)
    }
    return [...pool].filter((tx) => !taken.has(tx.id) && chain.chain.checks(tx))
  }

  #drop({ dropped }: BuildResult): void {
    const { pool } = this.#options
    for (const { tx, error } of dropped) {
      pool.remove(tx.id)
      pool.markDropped(tx.id, { error, reason: error.avalanchegoMessage })
    }
  }
}
