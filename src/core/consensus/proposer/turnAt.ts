import { isActive, type Upgrades } from "../../networks/upgrades.js"
import type { NodeID } from "../../types/id.js"
import { MAX_VERIFY_SECONDS, SLOT_SECONDS, slotOf, type Windower } from "./windower.js"
import type { OuterParent } from "./wrapperRules.js"

/** Whether a node may propose the child of a block, for some time. */
export interface Turn {
  readonly isOwn: boolean
  /** True if the block must be signed. */
  readonly isSigned: boolean
  /** Unix seconds, not included; `undefined`: as long as the parent is preferred. */
  readonly until: bigint | undefined
}

/** Proposers and time for which a turn is sought. */
export interface TurnSearch {
  /** The windower for the child of the parent. */
  readonly windower: Windower
  readonly nodeID: NodeID
  /** The local clock, Unix seconds. */
  readonly nowSeconds: bigint
  readonly upgrades: Upgrades
}

/** Number of proposers that a node draws when it builds a block, before Durango. */
const BUILD_WINDOWS = 60

const ANYBODY: Turn = { isOwn: true, isSigned: false, until: undefined }

/** Returns whether it is a node's turn to propose the child of a block now. */
export function turnAt(parent: OuterParent, search: TurnSearch): Turn {
  const { timestamp } = parent
  if (!parent.block.wrapper) return ANYBODY
  const { windower, nodeID, nowSeconds, upgrades } = search
  if (!isActive(upgrades, "durango", timestamp)) return turnBeforeDurango(timestamp, search)
  const slot = slotOf(timestamp, nowSeconds)
  const owner = windower.ownerOf(slot)
  if (owner === undefined) return ANYBODY
  return { isOwn: owner === nodeID, isSigned: true, until: timestamp + (slot + 1n) * SLOT_SECONDS }
}

/** Proposers that were drawn sign within the first 30 seconds; afterwards blocks are unsigned. */
function turnBeforeDurango(timestamp: bigint, { windower, nodeID, nowSeconds }: TurnSearch): Turn {
  const from = timestamp + windower.delayOf(nodeID, BUILD_WINDOWS)
  if (nowSeconds < from) return { isOwn: false, isSigned: true, until: from }
  const end = timestamp + MAX_VERIFY_SECONDS
  return nowSeconds < end ? { isOwn: true, isSigned: true, until: end } : ANYBODY
}
