import { currentSet, type ValidatorSet } from "../rules/validatorSet.js"
import { descendingKey, u64Key } from "../state/key.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { ID } from "../types/id.js"
import { readTables } from "./tables.js"

/**
 * A subnet's validator set as it was after the block at a height: the next whole set that was written down at or above it, with
 * the changes in between undone. How long that takes depends on the size of the set, not on how long ago it was.
 */
export function validatorSetAt(view: View, subnetID: ID, height: bigint): ValidatorSet {
  const checkpoint = checkpointFrom(view, subnetID, height)
  const set = checkpoint?.set ?? currentSet(view, subnetID)
  undoChanges(view, subnetID, set, { above: height, ...(checkpoint ? { upTo: checkpoint.height } : {}) })
  return set
}

/** The next whole set that was written down at a height or above it. */
export function checkpointFrom(view: View, subnetID: ID, height: bigint): { height: bigint; set: ValidatorSet } | undefined {
  const from = `${subnetID}${u64Key.toText(height)}`
  for (const [key, members] of view.rows(readTables.setCheckpoints, { prefix: subnetID, from })) {
    const set: ValidatorSet = new Map()
    for (const { nodeID, weight, publicKey } of members) set.set(nodeID, { weight, publicKey })
    return { height: key.height, set }
  }
  return undefined
}

/** Which changes: those of the heights above one and up to another, or up to the tip. */
export interface Stretch {
  readonly above: bigint
  readonly upTo?: bigint
}

/** Takes a set back to what it was before these changes, the newest first. */
export function undoChanges(view: View, subnetID: ID, set: ValidatorSet, { above, upTo }: Stretch): void {
  const range = changesUpTo(subnetID, upTo)
  for (const [key, { decrease, amount }] of view.rows(tables.weightDiffs, range)) {
    if (key.height <= above) break
    const member = set.get(key.nodeID) ?? { weight: 0n, publicKey: [] }
    const weight = decrease ? member.weight + amount : member.weight - amount
    if (weight === 0n) set.delete(key.nodeID)
    else set.set(key.nodeID, { ...member, weight })
  }
  for (const [key, publicKey] of view.rows(tables.keyDiffs, range)) {
    if (key.height <= above) break
    const member = set.get(key.nodeID)
    if (member) set.set(key.nodeID, { ...member, publicKey })
  }
}

/** The height of the last change of a subnet's set, up to a height or to the tip: until the next one the set is the same. */
export function lastSetChange(view: View, subnetID: ID, upTo?: bigint): bigint | undefined {
  let last: bigint | undefined
  const range = changesUpTo(subnetID, upTo)
  for (const table of [tables.weightDiffs, tables.keyDiffs]) {
    for (const [key] of view.rows<{ readonly height: bigint }, unknown>(table as never, range)) {
      if (last === undefined || key.height > last) last = key.height
      break
    }
  }
  return last
}

/** The rows of a subnet's changes up to a height or to the tip, newest first. */
export function changesUpTo(subnetID: ID, upTo: bigint | undefined) {
  return upTo === undefined ? { prefix: subnetID } : { prefix: subnetID, from: `${subnetID}${descendingKey.toText(upTo)}` }
}

/** Every subnet whose set ever changed; the table is sorted by subnet, so each is one step. */
export function* subnetsWithChanges(view: View): Iterable<ID> {
  for (let from = ""; ; ) {
    const [row] = first(view.rows(tables.weightDiffs, { from }))
    if (!row) return
    const { subnetID } = row[0]
    yield subnetID
    from = `${subnetID}${"f".repeat(tables.weightDiffs.key.width - subnetID.length)}`
  }
}

function first<T>(rows: Iterable<T>): [T] | [] {
  for (const row of rows) return [row]
  return []
}
