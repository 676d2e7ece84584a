import { currentSet } from "../../rules/validatorSet.js"
import { lastSetChange } from "../../state/setChanges.js"
import { tables } from "../../state/tables.js"
import type { IndexedView, View } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import { readTables } from "../tables.js"
import { buildSegment } from "./segmentBuilder.js"
import type { SetSegment } from "./setSegment.js"

/** The segment that has the validator set of a height. */
export interface SegmentPlace {
  readonly subnetID: ID
  readonly upTo: bigint
  /** The ID of the block at this height. It identifies the segment, because a block that replaces a reverted one has another ID. */
  readonly lastBlock: ID | undefined
  /** `stored`: in the read model. `open`: all that is newer than the stored ones. `tip`: the present set alone. */
  readonly kind: "stored" | "open" | "tip"
}

/** Finds the segment of a height; `undefined` if the subnet has never had a validator. */
export function placeOfSet(view: IndexedView, subnetID: ID, height: bigint): SegmentPlace | undefined {
  for (const [{ upTo }] of view.rows(readTables.setSegmentEnds, { under: { subnetID }, from: { upTo: height } })) {
    return { subnetID, upTo, lastBlock: view.get(tables.blockIDs, upTo), kind: "stored" }
  }
  const upTo = lastSetChange(view, subnetID)
  if (upTo === undefined) return undefined
  return { subnetID, upTo, lastBlock: view.get(tables.blockIDs, upTo), kind: height >= upTo ? "tip" : "open" }
}

export function segmentAt(view: View, { subnetID, upTo, kind }: SegmentPlace): SetSegment {
  if (kind !== "stored") {
    const bottom = kind === "tip" ? upTo : (view.get(readTables.setProgress, subnetID)?.since ?? 0n)
    return buildSegment(view, subnetID, currentSet(view, subnetID), upTo, (height) => height <= bottom)
  }
  const segment = view.get(readTables.setSegments, { subnetID, upTo })
  if (!segment) throw new Error(`the validator sets of ${subnetID} up to height ${upTo} are missing`)
  return segment
}
