import type { Block } from "../../blocks/block.js"
import { encode } from "../../codec/decode.js"
import { isActive, type Upgrades } from "../../networks/upgrades.js"
import { chainTimeOf } from "../../rules/context.js"
import { newEpoch, type Wrapped, ZERO_EPOCH } from "../../rules/epoch.js"
import type { View } from "../../state/view.js"
import { decodeContainer, isZeroEpoch, proposerContainer } from "../../types/proposervm.js"
import { bareBlock, type OuterBlock, outerOption, wrappedBlock } from "./outerBlock.js"
import { childTimestamp, type OuterParent, wrappedOf } from "./wrapperRules.js"
import { outerBlockAt } from "./wrapperStore.js"

const NO_BYTES = new Uint8Array(0)

/** Parent of the next wrapper on a chain without other proposers: the last accepted block of a state. */
export function outerParentIn(state: View, height: bigint): OuterParent {
  const block = outerBlockAt(state, height)
  if (!block) throw new Error(`the store has no block at the last accepted height ${height}`)
  // An option has the time, height and epoch of its proposal.
  const proposal = block.wrapper?.kind === "ProposerVMOption" ? outerBlockAt(state, height - 1n) : undefined
  const wrapped = wrappedOf(proposal ?? block) ?? { timestamp: chainTimeOf(state), pChainHeight: 0n, epoch: ZERO_EPOCH }
  return { ...wrapped, block }
}

/** What a wrapper made by ourselves says: when, and which P-Chain height it names. */
export interface WrapperMoment {
  readonly upgrades: Upgrades
  readonly nowSeconds: bigint
  readonly pChainHeight: bigint
}

/**
 * Wraps a block without a signature, as the first block of a chain and blocks of a chain without validators are wrapped. Other nodes take
 * such blocks while they bootstrap. The options of a proposal are wrapped as options; blocks from before wrappers stay bare.
 */
export function wrapUnsigned(inner: Block, parent: OuterParent, moment: WrapperMoment): OuterParent {
  const isOption = /(Commit|Abort)Block$/.test(inner.kind)
  if (isOption) return { ...parent, block: outerOption(parent.block, inner) }
  if (!parent.block.wrapper && !isActive(moment.upgrades, "apricotPhase4", parent.timestamp)) {
    return {
      timestamp: "time" in inner ? inner.time : parent.timestamp,
      pChainHeight: 0n,
      epoch: ZERO_EPOCH,
      block: bareBlock(inner),
    }
  }
  const timestamp = childTimestamp(parent, moment.nowSeconds)
  const pChainHeight = moment.pChainHeight > parent.pChainHeight ? moment.pChainHeight : parent.pChainHeight
  const epoch = parent.block.wrapper ? newEpoch(moment.upgrades, parent, timestamp) : ZERO_EPOCH
  const wrapped = { timestamp, pChainHeight, epoch }
  return { ...wrapped, block: wrappedAs(inner, parent, wrapped) }
}

function wrappedAs(inner: Block, parent: OuterParent, { timestamp, pChainHeight, epoch }: Wrapped): OuterBlock {
  const fields = {
    parentID: parent.block.id,
    timestamp,
    pChainHeight,
    certificate: NO_BYTES,
    block: inner.bytes,
    signature: NO_BYTES,
  }
  const raw = isZeroEpoch(epoch)
    ? encode(proposerContainer, { kind: "ProposerVMBlock", ...fields })
    : encode(proposerContainer, { kind: "ProposerVMGraniteBlock", ...fields, epoch })
  return wrappedBlock(decodeContainer(raw), inner)
}
