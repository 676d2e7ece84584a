import { max } from "../../lib/math64.js"
import { isActive, type Upgrades } from "../../networks/upgrades.js"
import { contextHeight, newEpoch, type WrapperPosition, ZERO_EPOCH } from "../../rules/epoch.js"
import type { Epoch } from "../../types/proposervm.js"
import { consensusError } from "../errors.js"
import { isProposal, type OuterBlock, type OuterHeader } from "./outerBlock.js"

/** Number of seconds that the time of a wrapper can be in the future. */
const MAX_FUTURE_SECONDS = 10n

/** Parent of an outer block, as the wrapper of its child is checked against it. */
export interface OuterParent extends WrapperPosition {
  readonly block: OuterBlock
}

/** What `checkWrapper` needs besides the block and its parent. */
export interface WrapperContext {
  readonly upgrades: Upgrades
  /** The local clock, Unix seconds. */
  readonly nowSeconds: bigint
  /** The last accepted P-Chain height. */
  readonly currentHeight: bigint
  /** While bootstrapping, epochs, the named height and proposers are not checked: the network has accepted the block. */
  readonly isBootstrapping: boolean
}

/** Returns the time, P-Chain height and epoch of a wrapper; `undefined` for options and for blocks without a wrapper. */
export function wrapperPositionOf({ wrapper }: Pick<OuterHeader, "wrapper">): WrapperPosition | undefined {
  if (!wrapper || wrapper.kind === "ProposerVMOption") return undefined
  const epoch: Epoch = wrapper.kind === "ProposerVMGraniteBlock" ? wrapper.epoch : ZERO_EPOCH
  return { timestamp: wrapper.timestamp, pChainHeight: wrapper.pChainHeight, epoch }
}

/**
 * Checks a block's wrapper against its parent's, without the block in it. Returns the P-Chain height at which its Warp messages are verified.
 * It does not check the proposer. Throws `consensus.*`.
 */
export function checkWrapper(child: OuterHeader, parent: OuterParent, context: WrapperContext): bigint {
  const parentIsProposal = isProposal(parent.block.inner)
  if (!parent.block.wrapper) return checkAfterBare(child, parent, context, parentIsProposal)
  if (!child.wrapper) throw consensusError("consensus.expected_wrapper")
  if (child.wrapper.kind === "ProposerVMOption") {
    if (!parentIsProposal) throw consensusError("consensus.unexpected_option")
    return contextHeight(context.upgrades, parent, parent.pChainHeight)
  }
  if (parentIsProposal) throw consensusError("consensus.expected_option")
  return checkAfterWrapped(child, parent, context)
}

/** A child of a block without wrapper: bare before Apricot Phase 4 and after a proposal, else the first wrapper of the chain. */
function checkAfterBare(child: OuterHeader, parent: OuterParent, context: WrapperContext, parentIsProposal: boolean): bigint {
  const { upgrades } = context
  const staysBare = parentIsProposal || !isActive(upgrades, "apricotPhase4", parent.timestamp)
  if (!child.wrapper) {
    if (!staysBare) throw consensusError("consensus.expected_wrapper")
    return 0n
  }
  if (staysBare) throw consensusError("consensus.unexpected_wrapper")
  const { wrapper } = child
  if (wrapper.kind !== "ProposerVMBlock") throw consensusError("consensus.wrong_wrapper_kind", { kind: wrapper.kind })
  if (wrapper.certificate.length > 0) throw consensusError("consensus.signed_first_wrapper")
  const lowest = upgrades.apricotPhase4MinPChainHeight
  if (wrapper.pChainHeight < lowest) {
    throw consensusError("consensus.height_too_low", { got: wrapper.pChainHeight, lowest })
  }
  checkTime(wrapper.timestamp, parent, context)
  checkKnownHeight(wrapper.pChainHeight, context)
  return 0n
}

function checkAfterWrapped(child: OuterHeader, parent: OuterParent, context: WrapperContext): bigint {
  const wrapped = wrapperPositionOf(child) as WrapperPosition
  if (wrapped.pChainHeight < parent.pChainHeight) {
    throw consensusError("consensus.height_decreased", { got: wrapped.pChainHeight, parent: parent.pChainHeight })
  }
  checkTime(wrapped.timestamp, parent, context)
  if (!context.isBootstrapping) {
    checkEpoch(child, wrapped, parent, context.upgrades)
    checkKnownHeight(wrapped.pChainHeight, context)
  }
  return contextHeight(context.upgrades, wrapped, parent.pChainHeight)
}

function checkTime(timestamp: bigint, parent: OuterParent, { nowSeconds }: WrapperContext): void {
  if (timestamp < parent.timestamp) throw consensusError("consensus.time_decreased", { got: timestamp, parent: parent.timestamp })
  if (timestamp > nowSeconds + MAX_FUTURE_SECONDS)
    throw consensusError("consensus.time_too_far", { got: timestamp, now: nowSeconds }).dependingOn("clock")
}

function checkKnownHeight(pChainHeight: bigint, { currentHeight }: WrapperContext): void {
  if (pChainHeight <= currentHeight) return
  throw consensusError("consensus.height_unknown", { got: pChainHeight, lastAccepted: currentHeight }).dependingOn("height")
}

function checkEpoch(child: OuterHeader, wrapped: WrapperPosition, parent: OuterParent, upgrades: Upgrades): void {
  const hasEpoch = isActive(upgrades, "granite", wrapped.timestamp)
  const kind = hasEpoch ? "ProposerVMGraniteBlock" : "ProposerVMBlock"
  if (child.wrapper?.kind !== kind) throw consensusError("consensus.wrong_wrapper_kind", { expected: kind })
  const expected = newEpoch(upgrades, parent, wrapped.timestamp)
  const { epoch } = wrapped
  const isSame =
    epoch.number === expected.number && epoch.pChainHeight === expected.pChainHeight && epoch.startTime === expected.startTime
  if (!isSame) throw consensusError("consensus.wrong_epoch", { got: epoch, expected })
}

/** The time that a block made now on this parent has: whole seconds, never before the parent's. */
export function childTimestamp(parent: OuterParent, nowSeconds: bigint): bigint {
  return max(nowSeconds, parent.timestamp)
}
