import { type Block, blockOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { checkProposer, windowerFor } from "../../src/core/consensus/proposer/checkProposer.js"
import { type OuterBlock, readOuterBlock } from "../../src/core/consensus/proposer/outerBlock.js"
import { OuterChain } from "../../src/core/consensus/proposer/outerChain.js"
import { slotOf } from "../../src/core/consensus/proposer/windower.js"
import { wrapBlock } from "../../src/core/consensus/proposer/wrapBlock.js"
import { certificateCache } from "../../src/core/crypto/certificateCache.js"
import type { NodeID } from "../../src/core/types/id.js"
import { changeOf, firstUnspent, payment } from "../fixtures/longChain.js"
import type { PeerIdentity } from "../fixtures/peerIdentity.js"
import type { Unspent } from "../fixtures/spendUnspent.js"
import type { SimulatedGenesis } from "./simulatedGenesis.js"

/** An outer chain over a store, with all checks of normal operation. */
export function outerChainOf({ rules }: SimulatedGenesis, store: ReturnType<SimulatedGenesis["newStore"]>): OuterChain {
  const chain = new Chain({ rules, state: store })
  return new OuterChain({ chain, checkProposer: (child, parent) => checkProposer(child, parent, chain.state, rules.upgrades) })
}

/** Makes a valid chain of payments: every block in a wrapper that is signed by the owner of its slot. */
export class ChainMaker {
  readonly chain: OuterChain
  readonly #network: SimulatedGenesis
  readonly #identities: ReadonlyMap<NodeID, PeerIdentity>
  readonly #parseCertificate = certificateCache()
  readonly #pChainHeightAt: (lastAccepted: bigint) => bigint
  #unspent: Unspent = firstUnspent

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
  next(seconds: bigint): OuterBlock {
    const block = this.make(seconds)
    this.chain.verify(block, { nowSeconds: seconds, isBootstrapping: false })
    this.chain.accept(block.id)
    this.chain.chain.flush()
    return block
  }

  /** Makes a block on the last accepted one, without accepting it. */
  make(seconds: bigint): OuterBlock {
    const { rules } = this.#network
    const { lastAccepted } = this.chain
    const tx = payment(this.#unspent, rules)
    this.#unspent = changeOf(tx)
    const height = lastAccepted.height + 1n
    const inner = blockOf({ kind: "BanffStandardBlock", time: seconds, parentID: lastAccepted.inner.id, height, txs: [tx] })
    const { bytes } = this.#wrap(inner, seconds)
    return readOuterBlock(bytes, { verifiesSignature: true, parseCertificate: this.#parseCertificate })
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
