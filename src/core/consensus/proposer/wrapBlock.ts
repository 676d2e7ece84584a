import type { Block } from "../../blocks/block.js"
import { encode } from "../../codec/decode.js"
import { max } from "../../lib/math64.js"
import { isActive, type Upgrades } from "../../networks/upgrades.js"
import { contextHeight, newEpoch, type WrapperPosition, ZERO_EPOCH } from "../../rules/epoch.js"
import { idOf, type NodeID, P_CHAIN_ID } from "../../types/id.js"
import {
  containerWithoutProposer,
  decodeContainer,
  isZeroEpoch,
  proposerContainer,
  signedHeader,
} from "../../types/proposervm.js"
import { bareBlock, type OuterBlock, outerOption, wrappedBlock } from "./outerBlock.js"
import { childTimestamp, type OuterParent } from "./wrapperRules.js"

const NO_BYTES = new Uint8Array(0)

export interface ProposerKey {
  readonly nodeID: NodeID
  /** The certificate that the node ID is made from, DER. */
  readonly certificate: Uint8Array
  /** Signs the SHA-256 of a message: ECDSA in DER, or RSA with PKCS#1 v1.5. */
  sign(message: Uint8Array): Uint8Array
}

/** Time, P-Chain height and proposer of a wrapper that this node makes. */
export interface WrapperMoment {
  readonly upgrades: Upgrades
  readonly nowSeconds: bigint
  readonly pChainHeight: bigint
  /** The key that signs the wrapper; by default it is unsigned. */
  readonly key?: ProposerKey | undefined
}

/**
 * Wraps a block. The options of a proposal are wrapped as options, and blocks from before wrappers stay bare. The first wrapper of a chain
 * and the blocks of a chain without validators are unsigned; other nodes accept further unsigned ones only while they bootstrap.
 */
export function wrapBlock(inner: Block, parent: OuterParent, moment: WrapperMoment): OuterParent {
  if (inner.kind.endsWith("CommitBlock") || inner.kind.endsWith("AbortBlock"))
    return { ...parent, block: outerOption(parent.block, inner) }
  if (!parent.block.wrapper && !isActive(moment.upgrades, "apricotPhase4", parent.timestamp)) {
    return {
      timestamp: "time" in inner ? inner.time : parent.timestamp,
      pChainHeight: 0n,
      epoch: ZERO_EPOCH,
      block: bareBlock(inner),
    }
  }
  const wrapped = childWrapperPosition(parent, moment)
  return { ...wrapped, block: wrappedAs(inner, parent, wrapped, moment.key) }
}

/** Returns the P-Chain height at which the Warp messages of a child that is wrapped at this moment are verified. */
export function childContextHeight(parent: OuterParent, moment: WrapperMoment): bigint {
  if (!parent.block.wrapper) return 0n
  return contextHeight(moment.upgrades, childWrapperPosition(parent, moment), parent.pChainHeight)
}

/** The time, P-Chain height and epoch of a child that is wrapped at this moment. */
function childWrapperPosition(
  parent: OuterParent,
  { upgrades, nowSeconds, pChainHeight: recommended }: WrapperMoment,
): WrapperPosition {
  const timestamp = childTimestamp(parent, nowSeconds)
  const epoch = parent.block.wrapper ? newEpoch(upgrades, parent, timestamp) : ZERO_EPOCH
  return { timestamp, pChainHeight: max(recommended, parent.pChainHeight), epoch }
}

function wrappedAs(inner: Block, parent: OuterParent, wrapped: WrapperPosition, key: ProposerKey | undefined): OuterBlock {
  if (!key) return wrappedBlock(containerWithoutProposer(wrapperOf(inner, parent, wrapped, NO_BYTES, NO_BYTES)), inner)
  const unsigned = encode(proposerContainer, wrapperOf(inner, parent, wrapped, key.certificate, NO_BYTES))
  // The ID covers everything but the signature, here its empty length.
  const bodyID = idOf(unsigned.subarray(0, unsigned.length - 4))
  const signature = key.sign(encode(signedHeader, { chainID: P_CHAIN_ID, parentID: parent.block.id, bodyID }))
  const bytes = encode(proposerContainer, wrapperOf(inner, parent, wrapped, key.certificate, signature))
  return wrappedBlock(decodeContainer(bytes), inner)
}

function wrapperOf(
  inner: Block,
  parent: OuterParent,
  { timestamp, pChainHeight, epoch }: WrapperPosition,
  certificate: Uint8Array,
  signature: Uint8Array,
) {
  const fields = { parentID: parent.block.id, timestamp, pChainHeight, certificate, block: inner.bytes, signature }
  if (isZeroEpoch(epoch)) return { kind: "ProposerVMBlock" as const, ...fields }
  return { kind: "ProposerVMGraniteBlock" as const, ...fields, epoch }
}
