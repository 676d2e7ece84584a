import type { SegmentPlace } from "../../../core/readmodel/validatorSets/segmentAt.js"
import { tables } from "../../../core/state/tables.js"
import type { View } from "../../../core/state/view.js"

/** A stored segment, and the lowest height that is known to be in it. */
interface FoundSegment {
  readonly place: SegmentPlace
  lowest: bigint
}

/** The maximum number of segments, and the approximate bytes of each. */
const [MAX_FOUND, FOUND_BYTES] = [64, 300]

/**
 * The stored segments of one subnet that were found last. All heights from a requested one to the end of its segment are in this segment.
 * On the disk, the first row of a range takes as long as six single rows.
 */
export class FoundSegments {
  /** The size in memory, bytes. */
  readonly size = MAX_FOUND * FOUND_BYTES
  /** The newest is first. */
  readonly #found: FoundSegment[] = []

  /** Returns the segment of a height if it is known, and if the view has the same last block. */
  find(view: View, height: bigint): SegmentPlace | undefined {
    const isHere = ({ place: { upTo, lastBlock }, lowest }: FoundSegment) =>
      lowest <= height && height <= upTo && view.get(tables.blockIDs, upTo) === lastBlock
    return this.#found.find(isHere)?.place
  }

  /** Adds the segment that the store has for a height. */
  add(place: SegmentPlace, height: bigint): void {
    const same = this.#found.find((each) => each.place.upTo === place.upTo && each.place.lastBlock === place.lastBlock)
    if (same) {
      if (height < same.lowest) same.lowest = height
      return
    }
    this.#found.unshift({ place, lowest: height })
    this.#found.splice(MAX_FOUND)
  }
}
