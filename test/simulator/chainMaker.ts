import { type Block, blockOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { windowerFor } from "../../src/core/consensus/proposer/checkProposer.js"
import { type OuterBlock, type OuterHeader, readOuterBlock } from "../../src/core/consensus/proposer/outerBlock.js"
import { OuterChain, type VerifyOuter } from "../../src/core/consensus/proposer/outerChain.js"
import { slotOf } from "../../src/core/consensus/proposer/windower.js"
import { wrapBlock } from "../../src/core/consensus/proposer/wrapBlock.js"
import { certificateCache } from "../../src/core/crypto/certificateCache.js"
import { Invalid } from "../../src/core/lib/invalid.js"
import type { NodeID } from "../../src/core/types/id.js"
import { parseCertificate } from "../../src/platform/certificate.js"
import { firstUnspent } from "../fixtures/longChain.js"
import type { PeerIdentity } from "../fixtures/peerIdentity.js"
import { type Lock, type LockedUnspent, lockedChangeOf, lockedPayment } from "./lockedPayment.js"
import type { SimulatedGenesis } from "./simulatedGenesis.js"

/** An outer chain that reports every refusal of a block. */
class WatchedChain extends OuterChain {
  readonly #refused: (reason: Invalid) => void

  constructor(chain: Chain, refused: (reason: Invalid) => void) {
    super(chain)
    this.#refused = refused
  }

  override verify(header: OuterHeader, options: VerifyOuter): OuterBlock {
    try {
      return super.verify(header, options)
    } catch (error) {
      if (error instanceof Invalid) this.#refused(error)
      throw error
    }
  }
}

/** An outer chain over a store, with all checks of normal operation. `refused` is called with every refusal of a block. */
export function outerChainOf(
  { rules }: SimulatedGenesis,
  store: ReturnType<SimulatedGenesis["newStore"]>,
  refused: (reason: Invalid) => void = () => {},
): OuterChain {
  return new WatchedChain(new Chain({ rules, state: store }), refused)
}

/** What is special about a block. */
export interface MakeOptions {
  /** The lock on the change of its payment, which the next block spends. */
  readonly lock?: Lock | undefined
  /** Number of seconds by which the block's own time is ahead of its wrapper's. */
  readonly ahead?: bigint | undefined
}

/** Makes a valid chain of payments: every block in a wrapper that is signed by the owner of its slot. */
export class ChainMaker {
  readonly chain: OuterChain
  readonly #network: SimulatedGenesis
  readonly #identities: ReadonlyMap<NodeID, PeerIdentity>
  readonly #parseCertificate = certificateCache(parseCertificate)
  readonly #pChainHeightAt: (lastAccepted: bigint) => bigint
  #unspent: LockedUnspent = firstUnspent

  /** `pChainHeightAt` returns the P-Chain height that a wrapper names; by default the last accepted height. */
  constructor(
    network: SimulatedGenesis,
    validators: readonly PeerIdentity[],
    pChainHeightAt: (lastAccepted: bigint) => bigint = (lastAccepted) => lastAccepted,
  ) {
    this.#network = network
    this.#pChainHeightAt = pChainHeightAt
    this.#identities = new Map(validators.map((identity) => [identity.nodeID, identity]))
    this.chain = outerChainOf(network, network.newStore())
  }

  /** Makes, verifies and accepts the next block. */
  next(seconds: bigint, options?: MakeOptions): OuterBlock {
    const block = this.make(seconds, options)
    this.chain.verify(block, { nowSeconds: seconds, isBootstrapping: false })
    this.chain.accept(block.id)
    this.chain.chain.flush()
    return block
  }

  /** Makes a block on the last accepted one, without accepting it. */
  make(seconds: bigint, { lock, ahead = 0n }: MakeOptions = {}): OuterBlock {
    const { rules } = this.#network
    const { lastAccepted } = this.chain
    const tx = lockedPayment(this.#unspent, rules, { lock })
    this.#unspent = lockedChangeOf(tx, lock)
    const parentID = lastAccepted.inner.id
    const height = lastAccepted.height + 1n
    const inner = blockOf({ kind: "BanffStandardBlock", time: seconds + ahead, parentID, height, txs: [tx] })
    const { bytes } = this.#wrap(inner, seconds)
    return readOuterBlock(bytes, { parseCertificate: this.#parseCertificate })
  }

  #wrap(inner: Block, nowSeconds: bigint): OuterBlock {
    const { upgrades } = this.#network.rules
    const parent = this.chain.parentFor(this.chain.lastAccepted)
    if (!parent.block.wrapper) return wrapBlock(inner, parent, { upgrades, nowSeconds, pChainHeight: 0n }).block
    const owner = windowerFor(parent, this.chain.chain.state).ownerOf(slotOf(parent.timestamp, nowSeconds))
    const { nodeID, certificate, signTls: sign } = this.#identities.get(owner as NodeID) as PeerIdentity
    const key = { nodeID, certificate, sign }
    const pChainHeight = this.#pChainHeightAt(this.chain.lastAccepted.height)
    return wrapBlock(inner, parent, { upgrades, nowSeconds, pChainHeight, key }).block
  }
}
