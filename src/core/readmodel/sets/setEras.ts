import { currentSet, type ValidatorSet } from "../../rules/validatorSet.js"
import type { Diff } from "../../state/diff.js"
import { validatorKey } from "../../state/staker.js"
import { tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import type { Projection, Step } from "../projection.js"
import { readTables } from "../tables.js"
import { lastSetChange, subnetsWithChanges } from "./setChanges.js"
import type { SetEra } from "./setEra.js"
import { Stretch } from "./stretch.js"

/** An era has no fewer changes than this. */
const FEWEST_CHANGES = 256

/** Changes in an era for each member: what an era says of members that did not change is then at most half a member for each change. */
const CHANGES_PER_MEMBER = 2

const isDue = (changes: number, members: number): boolean => changes >= Math.max(FEWEST_CHANGES, members * CHANGES_PER_MEMBER)

/** The past of validator sets, written down an era at a time, so that an old set is found near its height and not from the tip. */
export const setEras: Projection = {
  name: "setEras",
  tables: [readTables.setProgress, readTables.setEras],

  settle(diff, height) {
    const bySubnet = new Map<ID, { changes: number; members: number; since: bigint }>()
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
    for (const [subnetID, { changes, members, since }] of bySubnet) {
      const isWritten = isDue(changes, members)
      if (isWritten) {
        const stretch = new Stretch(diff, subnetID, currentSet(diff, subnetID), height)
        putEra(diff, subnetID, stretch.goBack((at) => at <= since).era())
      }
      diff.put(readTables.setProgress, subnetID, isWritten ? { changes: 0, members, since: height } : { changes, members, since })
    }
  },

  *resettle(view) {
    for (const subnetID of subnetsWithChanges(view)) yield* resettleSubnet(view, subnetID)
  },
}

function progressOf(view: View, subnetID: ID): { changes: number; members: number; since: bigint } {
  return view.get(readTables.setProgress, subnetID) ?? { changes: 0, members: 0, since: 0n }
}

function putEra(diff: Diff, subnetID: ID, { upTo, bytes }: SetEra): void {
  diff.put(readTables.setEras, { subnetID, upTo }, bytes)
}

/** Walks back from the present set, era by era; the newest is the one that goes on. */
function* resettleSubnet(view: View, subnetID: ID): Iterable<Step> {
  const now = currentSet(view, subnetID)
  const newest = stretchFrom(view, subnetID, now, lastSetChange(view, subnetID) ?? 0n)
  const { from: since, changes } = newest
  yield (diff) => diff.put(readTables.setProgress, subnetID, { changes, members: now.size, since })
  for (let later = newest; later.from > 0n; ) {
    const stretch = stretchFrom(view, subnetID, later.setBefore(), later.from)
    yield (diff) => putEra(diff, subnetID, stretch.era())
    later = stretch
  }
}

/** As many changes as an era has, before a height. */
function stretchFrom(view: View, subnetID: ID, set: ValidatorSet, upTo: bigint): Stretch {
  return new Stretch(view, subnetID, set, upTo).goBack((_height, undone) => isDue(undone, set.size))
}
