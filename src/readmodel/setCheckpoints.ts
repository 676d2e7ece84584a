import type { Diff } from "../state/diff.js"
import { validatorKey } from "../state/staker.js"
import { type Member, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { ID, NodeID } from "../types/id.js"
import type { Projection, Step } from "./projection.js"
import { readTables } from "./tables.js"
import { subnetsWithChanges, undoChanges } from "./validatorSets.js"

/** A set that hardly changes is not written down more often than this many changes. */
const FEWEST_CHANGES = 256

/** Changes between two checkpoints for each member: a checkpoint then costs at most half a member for each change. */
const CHANGES_PER_MEMBER = 2

/** After how many changes a set of this size is written down again. */
export const changesUntilDue = (members: number): number => Math.max(FEWEST_CHANGES, members * CHANGES_PER_MEMBER)

const isDue = ({ changes, members }: { changes: number; members: number }): boolean => changes >= changesUntilDue(members)

/** Whole validator sets every so many changes, so that an old one is found near its height and not from the tip. */
export const setCheckpoints: Projection = {
  name: "setCheckpoints",
  tables: [readTables.setProgress, readTables.setCheckpoints],

  settle(diff, height) {
    const bySubnet = new Map<ID, { changes: number; members: number }>()
    for (const text of diff.edits.get(tables.members)?.keys() ?? []) {
      const key = validatorKey.fromText(text)
      const before = diff.parent.get(tables.members, key)
      const after = diff.get(tables.members, key)
      if (before === undefined && after === undefined) continue
      const progress = bySubnet.get(key.subnetID) ?? { ...progressOf(diff, key.subnetID) }
      progress.changes++
      progress.members += (after ? 1 : 0) - (before ? 1 : 0)
      bySubnet.set(key.subnetID, progress)
    }
    for (const [subnetID, progress] of bySubnet) {
      if (isDue(progress)) {
        writeCheckpoint(diff, subnetID, height, membersNow(diff, subnetID))
        progress.changes = 0
      }
      diff.put(readTables.setProgress, subnetID, progress)
    }
  },

  *resettle(view) {
    for (const subnetID of subnetsWithChanges(view)) yield* resettleSubnet(view, subnetID)
  },
}

function progressOf(view: View, subnetID: ID): { changes: number; members: number } {
  return view.get(readTables.setProgress, subnetID) ?? { changes: 0, members: 0 }
}

function* membersNow(view: View, subnetID: ID): Iterable<readonly [NodeID, Member]> {
  for (const [{ nodeID }, member] of view.rows(tables.members, { prefix: subnetID })) yield [nodeID, member]
}

function writeCheckpoint(diff: Diff, subnetID: ID, height: bigint, members: Iterable<readonly [NodeID, Member]>): void {
  const set = [...members].map(([nodeID, { weight, publicKey }]) => ({ nodeID, weight, publicKey }))
  diff.put(readTables.setCheckpoints, { subnetID, height }, set)
}

/** Walks back from the present set, and writes one down whenever enough changes have been undone. */
function* resettleSubnet(view: View, subnetID: ID): Iterable<Step> {
  const set = new Map(membersNow(view, subnetID))
  const members = set.size
  yield (diff) => diff.put(readTables.setProgress, subnetID, { changes: 0, members })
  let changes = 0
  let undoneTo: bigint | undefined
  for (const [{ height }] of view.rows(tables.weightDiffs, { prefix: subnetID })) {
    if (height !== undoneTo && isDue({ changes, members: set.size })) {
      undoChanges(view, subnetID, set, { above: height, ...(undoneTo === undefined ? {} : { upTo: undoneTo }) })
      const then = [...set]
      yield (diff) => writeCheckpoint(diff, subnetID, height, then)
      undoneTo = height
      changes = 0
    }
    changes++
  }
}
