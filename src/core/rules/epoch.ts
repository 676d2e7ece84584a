import { epochSecondsOf, isActive, type Upgrades } from "../networks/upgrades.js"
import { type Epoch, isZeroEpoch } from "../types/proposervm.js"

/** The epoch of blocks before Granite. */
export const ZERO_EPOCH: Epoch = { pChainHeight: 0n, number: 0n, startTime: 0n }

/** Time and P-Chain height in the wrapper of a block. */
export interface WrapperPosition {
  /** The time in Unix seconds. */
  readonly timestamp: bigint
  /** The height that the wrapper names, not the block's own. */
  readonly pChainHeight: bigint
  readonly epoch: Epoch
}

/**
 * Returns the epoch of a child with this timestamp. The parent's time decides, so the block that crosses the end still belongs to the
 * epoch.
 */
export function newEpoch(upgrades: Upgrades, parent: WrapperPosition, childTimestamp: bigint): Epoch {
  if (!isActive(upgrades, "granite", childTimestamp)) return ZERO_EPOCH
  const { epoch, timestamp, pChainHeight } = parent
  if (isZeroEpoch(epoch)) return { pChainHeight, number: 1n, startTime: timestamp }
  if (timestamp < epoch.startTime + epochSecondsOf(upgrades)) return epoch
  return { pChainHeight, number: BigInt.asUintN(64, epoch.number + 1n), startTime: timestamp }
}

/** Returns the P-Chain height at which a child's Warp messages are verified: its epoch's, its own, or before Etna its parent's. */
export function contextHeight(upgrades: Upgrades, child: WrapperPosition, parentPChainHeight: bigint): bigint {
  if (isActive(upgrades, "granite", child.timestamp)) return child.epoch.pChainHeight
  return isActive(upgrades, "etna", child.timestamp) ? child.pChainHeight : parentPChainHeight
}
