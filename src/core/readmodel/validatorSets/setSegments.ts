import { currentSet, type ValidatorSet } from "../../rules/validatorSet.js"
import type { Diff } from "../../state/diff.js"
import { lastSetChange, subnetsWithChanges } from "../../state/setChanges.js"
import { validatorKey } from "../../state/staker.js"
import { heightOf, tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import type { Projection, ProjectionStep } from "../projection.js"
import { readTables, type SetProgress } from "../tables.js"
import { type BuiltSegment, buildSegment } from "./segmentBuilder.js"
import { setAt } from "./setSegment.js"

const MIN_CHANGES = 256

/** The number of changes in a segment for each member, so that members that did not change take at most half a row for each change. */
const CHANGES_PER_MEMBER = 2

const isFull = (changes: number, members: number): boolean => changes >= Math.max(MIN_CHANGES, members * CHANGES_PER_MEMBER)

/** Stores validator sets of the past in segments, so that an old set is found near its height and not by an iteration from the tip. */
export const setSegments: Projection = {
  tables: [readTables.setProgress, readTables.setSegments, readTables.setSegmentEnds],

  onState(diff, height, changes) {
    for (const [subnetID, progress] of progressAfter(changes)) {
      if (isFull(progress.changes, progress.members)) {
        putPresent(diff, subnetID, height, progress.since)
        diff.put(readTables.setProgress, subnetID, { ...progress, changes: 0, since: height })
      } else diff.put(readTables.setProgress, subnetID, progress)
    }
  },

  *rebuild(view) {
    for (const subnetID of subnetsWithChanges(view)) yield* rebuildSubnet(view, subnetID)
  },
}

/** Returns the progress of every subnet in which weights change in a diff, including these changes. */
function progressAfter(diff: Diff): ReadonlyMap<ID, SetProgress> {
  const bySubnet = new Map<ID, SetProgress>()
  for (const text of diff.editsOf(tables.members).keys()) {
    const key = validatorKey.fromText(text)
    const before = diff.parent.get(tables.members, key)
    const after = diff.get(tables.members, key)
    // A member that leaves and returns in one block has not changed, and a segment begins and ends with a change.
    if (before?.weight === after?.weight) continue
    const { changes, members, since } = bySubnet.get(key.subnetID) ?? progressOf(diff, key.subnetID)
    const joined = (after ? 1 : 0) - (before ? 1 : 0)
    bySubnet.set(key.subnetID, { changes: changes + 1, members: members + joined, since })
  }
  return bySubnet
}

function progressOf(view: View, subnetID: ID): SetProgress {
  return view.get(readTables.setProgress, subnetID) ?? { changes: 0, members: 0, since: 0n }
}

function putSegment(diff: Diff, subnetID: ID, { from, rows, upTo }: BuiltSegment): void {
  diff.put(readTables.setSegments, { subnetID, upTo }, { from, rows })
}

/** Builds the segment again that ends at the last block, if there is one, because an override has changed the set of this block. */
export function rebuildLastSegment(diff: Diff, subnetID: ID): void {
  const height = heightOf(diff)
  const segment = diff.get(readTables.setSegments, { subnetID, upTo: height })
  if (segment) putPresent(diff, subnetID, height, segment.from)
}

/** Stores the segment from one height to another at which the set is the present one. */
function putPresent(diff: Diff, subnetID: ID, upTo: bigint, from: bigint): void {
  const segment = buildSegment(diff, subnetID, currentSet(diff, subnetID), upTo, (at) => at <= from)
  putSegment(diff, subnetID, segment)
}

/** Walks back from the present set, segment by segment. The newest segment is not stored, because it is not complete. */
function* rebuildSubnet(view: View, subnetID: ID): Iterable<ProjectionStep> {
  const now = currentSet(view, subnetID)
  let newer = fullSegment(view, subnetID, now, lastSetChange(view, subnetID) ?? 0n)
  const progress = { changes: newer.changes, members: now.size, since: newer.from }
  yield (diff) => diff.put(readTables.setProgress, subnetID, progress)
  while (newer.from > 0n) {
    const segment = fullSegment(view, subnetID, setAt(newer, newer.from), newer.from)
    yield (diff) => putSegment(diff, subnetID, segment)
    newer = segment
  }
}

function fullSegment(view: View, subnetID: ID, set: ValidatorSet, upTo: bigint): BuiltSegment {
  return buildSegment(view, subnetID, set, upTo, (_height, changes) => isFull(changes, set.size))
}
