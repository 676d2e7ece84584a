import { blockOf } from "../../src/core/blocks/block.js"
import { Chain } from "../../src/core/chain/chain.js"
import { encode } from "../../src/core/codec/decode.js"
import { checkProposer, windowerFor } from "../../src/core/consensus/proposer/checkProposer.js"
import { type OuterBlock, readOuterBlock } from "../../src/core/consensus/proposer/outerBlock.js"
import { OuterChain } from "../../src/core/consensus/proposer/outerChain.js"
import { slotOf } from "../../src/core/consensus/proposer/windower.js"
import { certificateCache } from "../../src/core/crypto/certificateCache.js"
import { newEpoch } from "../../src/core/rules/epoch.js"
import { idOf, type NodeID, P_CHAIN_ID } from "../../src/core/types/id.js"
import { proposerContainer, signedHeader } from "../../src/core/types/proposervm.js"
import { changeOf, firstUnspent, payment, type Unspent } from "../fixtures/longChain.js"
import type { PeerIdentity } from "../fixtures/peerIdentity.js"
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
  #unspent: Unspent = firstUnspent

  constructor(network: SimulatedGenesis, validators: readonly PeerIdentity[]) {
    this.#network = network
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
    return readOuterBlock(this.#wrap(inner.bytes, seconds), { verifiesSignature: true, parseCertificate: this.#parseCertificate })
  }

  #wrap(block: Uint8Array, timestamp: bigint): Uint8Array {
    const parent = this.chain.parentFor(this.chain.lastAccepted)
    const pChainHeight = parent.block.wrapper ? this.chain.lastAccepted.height : 0n
    const common = { parentID: parent.block.id, timestamp, pChainHeight, block }
    const empty = new Uint8Array(0)
    if (!parent.block.wrapper) {
      return encode(proposerContainer, { kind: "ProposerVMBlock", ...common, certificate: empty, signature: empty })
    }
    const { upgrades } = this.#network.rules
    const owner = windowerFor(parent, this.chain.chain.state).ownerOf(slotOf(parent.timestamp, timestamp))
    const identity = this.#identities.get(owner as NodeID) as PeerIdentity
    const epoch = newEpoch(upgrades, parent, timestamp)
    const unsigned = {
      kind: "ProposerVMGraniteBlock" as const,
      ...common,
      certificate: identity.certificate,
      epoch,
      signature: empty,
    }
    const bytes = encode(proposerContainer, unsigned)
    const bodyID = idOf(bytes.subarray(0, bytes.length - 4))
    const header = encode(signedHeader, { chainID: P_CHAIN_ID, parentID: parent.block.id, bodyID })
    return encode(proposerContainer, { ...unsigned, signature: identity.signTls(header) })
  }
}
