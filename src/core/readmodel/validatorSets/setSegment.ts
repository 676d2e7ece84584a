import { list } from "../../codec/list.js"
import { u64 } from "../../codec/primitives.js"
import type { TypeOf } from "../../codec/schema.js"
import { struct } from "../../codec/struct.js"
import type { ValidatorSet } from "../../rules/validatorSet.js"
import { member } from "../../state/tables.js"
import { nodeID } from "../../types/id.js"

/** A weight from a height on, up to the previous span in the list; 0 if the node is not a member. */
const weightSpan = struct({ since: u64, weight: u64 })
export type WeightSpan = TypeOf<typeof weightSpan>

/** The weights of a node, newest first, while it had one BLS key (96 bytes) or none. The oldest span begins with the segment. */
const segmentRow = struct({ nodeID, publicKey: member.fields.publicKey, spans: list(weightSpan) })
export type SegmentRow = TypeOf<typeof segmentRow>

/**
 * Weights of one subnet's validators over the heights from `from` up to the height in the segment's key, both included. One row for each
 * pair of node and BLS key, in the order of node IDs; a node that had two keys has two rows.
 */
export const setSegment = struct({ from: u64, rows: list(segmentRow) })
export type SetSegment = TypeOf<typeof setSegment>

export function weightAt({ spans }: Pick<SegmentRow, "spans">, height: bigint): bigint {
  return spans.find(({ since }) => since <= height)?.weight ?? 0n
}

export function setAt({ rows }: SetSegment, height: bigint): ValidatorSet {
  const set: ValidatorSet = new Map()
  for (const row of rows) {
    const weight = weightAt(row, height)
    if (weight > 0n) set.set(row.nodeID, { weight, publicKey: row.publicKey })
  }
  return set
}
