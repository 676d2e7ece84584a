import { max } from "../../core/lib/math64.js"
import type { Upgrades } from "../../core/networks/upgrades.js"
import { contextHeight, newEpoch, type WrapperPosition, ZERO_EPOCH } from "../../core/rules/epoch.js"
import type { Epoch } from "../../core/types/proposervm.js"
import type { PChainPort } from "../services/validatorState.js"

/** Options of the P-Chain heights of a chain's blocks. */
export interface BlockContextOptions {
  readonly upgrades: Upgrades
  readonly pChain: Pick<PChainPort, "height" | "minimumHeight">
  /** True for AvalancheGo's delay and epochs (`--warp-lag`); otherwise the last accepted height is used everywhere. */
  readonly hasLag: boolean
  /** Returns the machine's clock, Unix seconds. */
  now(): bigint
}

/** The context of the next block: the P-Chain height for its Warp messages, and the position that it has once it is accepted. */
export interface NextBlock {
  /** `undefined` for the first block after genesis, which can carry no Warp message. */
  readonly pChainHeight: bigint | undefined
  readonly position: WrapperPosition
}

/** Chooses the P-Chain heights of a chain's blocks as AvalancheGo's ProposerVM does. */
export class BlockContexts {
  readonly #options: BlockContextOptions
  #last: WrapperPosition | undefined

  /** `last` is the position of the last accepted block; `undefined` at genesis. */
  constructor(options: BlockContextOptions, last: WrapperPosition | undefined) {
    this.#options = options
    this.#last = last
  }

  next(): NextBlock {
    const { upgrades, pChain, hasLag } = this.#options
    const position = this.#nextPosition()
    const parent = this.#last
    if (!parent) return { pChainHeight: undefined, position }
    const lagging = () => contextHeight(upgrades, position, parent.pChainHeight)
    return { pChainHeight: hasLag ? lagging() : pChain.height(), position }
  }

  /** Continues after a block that was accepted. */
  accepted(position: WrapperPosition): void {
    this.#last = position
  }

  /** The height that the last accepted block names; 0 for the genesis block, which names none. */
  get namedHeight(): bigint {
    return this.#last?.pChainHeight ?? 0n
  }

  /** Returns the height that a block made now would name. */
  proposedHeight(): bigint {
    const { hasLag, pChain } = this.#options
    return hasLag ? this.#nextPosition().pChainHeight : pChain.height()
  }

  /** Returns the epoch of a block made now. Without a lag its height is the one at which the messages of the block are verified. */
  currentEpoch(): Epoch {
    const { hasLag, pChain } = this.#options
    const { epoch } = this.#nextPosition()
    return hasLag ? epoch : { ...epoch, pChainHeight: pChain.height() }
  }

  #nextPosition(): WrapperPosition {
    const { upgrades, pChain, now } = this.#options
    const parent = this.#last
    const timestamp = max(now(), parent?.timestamp ?? 0n)
    const pChainHeight = max(pChain.minimumHeight(), parent?.pChainHeight ?? 0n)
    return { timestamp, pChainHeight, epoch: parent ? newEpoch(upgrades, parent, timestamp) : ZERO_EPOCH }
  }
}
