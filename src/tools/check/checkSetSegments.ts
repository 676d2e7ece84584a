import { nodeError } from "../../chaindata/errors.js"
import { encode } from "../../core/codec/decode.js"
import { equalBytes } from "../../core/lib/bytes.js"
import { readTables } from "../../core/readmodel/tables.js"
import { placeOfSet, segmentAt } from "../../core/readmodel/validatorSets/segmentAt.js"
import { buildSegment } from "../../core/readmodel/validatorSets/segmentBuilder.js"
import { setAt, setSegment } from "../../core/readmodel/validatorSets/setSegment.js"
import { currentSet, type ValidatorSet } from "../../core/rules/validatorSet.js"
import { subnetsWithChanges } from "../../core/state/setChanges.js"
import type { IndexedView, View } from "../../core/state/view.js"
import type { ID } from "../../core/types/id.js"

/**
 * Compares the segments of past validator sets with those that the blocks give. The bounds of segments depend on when they were made, so
 * each is built again between its own bounds. Throws `node.damaged`.
 */
export function checkSetSegments(kept: View, replayed: IndexedView): void {
  for (const subnetID of subnetsWithChanges(replayed)) {
    let end = 0n
    for (const [{ upTo }, segment] of kept.rows(readTables.setSegments, { under: { subnetID } })) {
      const set = pastSet(replayed, subnetID, upTo)
      const { from, rows } = buildSegment(replayed, subnetID, set, upTo, (height) => height <= segment.from)
      const isSame = from === end && equalBytes(encode(setSegment, segment), encode(setSegment, { from, rows }))
      if (!isSame) throw otherRows("setSegments")
      end = upTo
    }
    const progress = kept.get(readTables.setProgress, subnetID)
    const isSame = progress?.since === end && progress.members === currentSet(replayed, subnetID).size
    if (!isSame) throw otherRows("setProgress")
  }
}

function pastSet(view: IndexedView, subnetID: ID, height: bigint): ValidatorSet {
  const place = placeOfSet(view, subnetID, height)
  return place ? setAt(segmentAt(view, place), height) : new Map()
}

const otherRows = (table: string) => nodeError("node.damaged", { fault: `replaying the blocks gives other rows of ${table}` })
