import { sign } from "node:crypto"
import { txsOf } from "../../core/blocks/block.js"
import type { Mempool } from "../../core/chain/mempool.js"
import type { ValidatorOptions } from "../../core/consensus/engine/enginePort.js"
import type { OuterBlock } from "../../core/consensus/proposer/outerBlock.js"
import type { JoinedChainOptions } from "./joinOptions.js"
import { defaultNetworkSettings } from "./networkSettings.js"
import { mayVote } from "./validation.js"

/** The validator of a joined node whose node ID is among the validators: its key, and the number of blocks that it proposed. */
export class OwnValidator {
  readonly #options: JoinedChainOptions
  readonly #recommendedHeight: () => bigint
  /** Number of blocks that the node has proposed since it started. */
  blocksProposed = 0

  constructor(options: JoinedChainOptions, recommendedHeight: () => bigint) {
    this.#options = options
    this.#recommendedHeight = recommendedHeight
  }

  /** Returns the options for building and signing blocks; `undefined` if the node only follows. */
  options(pool: Mempool): ValidatorOptions | undefined {
    const { identity, data, wall, network = defaultNetworkSettings } = this.#options
    const { staking, nodeID } = identity
    if (!staking || !mayVote(data.rules.networkID)) return undefined
    const { certificate, key } = staking
    return {
      key: { nodeID, certificate, sign: (message) => new Uint8Array(sign("sha256", message, key)) },
      pool,
      minBlockDelayMs: network.building.minBlockDelayMs ?? 0,
      unixMs: wall,
      recommendedHeight: this.#recommendedHeight,
    }
  }

  proposed({ height, inner }: OuterBlock): void {
    this.blocksProposed++
    this.#options.log.debug("proposed a block", { height: height.toString(), txs: txsOf(inner).length })
  }
}
