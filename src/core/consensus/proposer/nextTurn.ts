import { isActive, type Upgrades } from "../../networks/upgrades.js"
import type { NodeID } from "../../types/id.js"
import { MAX_VERIFY_SECONDS, SLOT_SECONDS, slotOf, type Windower } from "./windower.js"
import type { OuterParent } from "./wrapperRules.js"

/** A span of time in which a node may propose the child of a block. */
export interface Turn {
  /** Unix seconds, included. */
  readonly from: bigint
  /** Unix seconds, not included; `undefined`: until another block is preferred. */
  readonly until: bigint | undefined
  /** False where none of the slots that were looked at is the node's: at `from` it looks again. */
  readonly isOwn: boolean
  /** Whether the block must be signed. */
  readonly isSigned: boolean
}

/** Proposers and time for which a turn is sought. */
export interface TurnSearch {
  /** Of the parent's child. */
  readonly windower: Windower
  readonly nodeID: NodeID
  /** The local clock, Unix seconds. */
  readonly nowSeconds: bigint
  readonly upgrades: Upgrades
}

/** How many slots ahead a node looks for its own, and how many proposers are drawn before Durango. */
const LOOKAHEAD_SLOTS = 720n
const BUILD_WINDOWS = 60

/** The next turn of a node to propose the child of a block (network.md 5.4, 5.6). */
export function nextTurn(parent: OuterParent, search: TurnSearch): Turn {
  const { timestamp } = parent
  if (!parent.block.wrapper) return { from: timestamp, until: undefined, isOwn: true, isSigned: false }
  const { windower, nodeID, nowSeconds, upgrades } = search
  if (!isActive(upgrades, "durango", timestamp)) return turnBeforeDurango(timestamp, search)
  const now = slotOf(timestamp, nowSeconds)
  if (windower.ownerOf(now) === undefined) return { from: timestamp, until: undefined, isOwn: true, isSigned: false }
  const own = windower.nextSlotOf(nodeID, now, LOOKAHEAD_SLOTS)
  const from = timestamp + (own ?? now + LOOKAHEAD_SLOTS) * SLOT_SECONDS
  return { from, until: from + SLOT_SECONDS, isOwn: own !== undefined, isSigned: true }
}

/** Proposers that were drawn sign within the first 30 seconds; afterwards blocks are unsigned. */
function turnBeforeDurango(timestamp: bigint, { windower, nodeID, nowSeconds }: TurnSearch): Turn {
  const from = timestamp + windower.delayOf(nodeID, BUILD_WINDOWS)
  const end = timestamp + MAX_VERIFY_SECONDS
  if (from < end && nowSeconds < end) return { from, until: end, isOwn: true, isSigned: true }
  return { from: from > end ? from : end, until: undefined, isOwn: true, isSigned: false }
}
