import { equalBytes } from "../../lib/bytes.js"
import type { ValidatorSet } from "../../rules/validatorSet.js"
import type { WeightDiff } from "../../state/setChanges.js"
import { changesUpTo } from "../../state/setChanges.js"
import type { Table } from "../../state/table.js"
import { type Member, type SetChangeKey, tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { ID, NodeID } from "../../types/id.js"
import type { SegmentRow, SetSegment, WeightSpan } from "./setSegment.js"

/** Returns whether a segment ends before the changes of a height. `changes` is the number of changes that the segment has so far. */
export type Stop = (height: bigint, changes: number) => boolean

interface MemberChange {
  readonly height: bigint
  readonly weight?: WeightDiff
  /** The key before the block, where the block changed it. */
  readonly keyBefore?: Pick<Member, "publicKey">
}

/** A segment, and the facts from which the next older segment is built. */
export interface BuiltSegment extends SetSegment {
  readonly upTo: bigint
  /** Number of changed weights. */
  readonly changes: number
}

/**
 * Builds the segment that ends at a height, `set` being the validator set there, by walking back over the recorded changes. It begins
 * at a height at which the set changed, or at 0.
 */
export function buildSegment(view: View, subnetID: ID, set: ValidatorSet, upTo: bigint, stop: Stop): BuiltSegment {
  const changesOf = new Map<NodeID, MemberChange[]>()
  const add = (nodeID: NodeID, change: MemberChange): void => {
    const others = changesOf.get(nodeID)
    if (others) others.push(change)
    else changesOf.set(nodeID, [change])
  }
  const newestFirst = <V>(table: Table<SetChangeKey, V>) => view.rows(table, changesUpTo(subnetID, upTo))
  let from = 0n
  let changes = 0
  let last: bigint | undefined
  for (const [{ nodeID, height }, weight] of newestFirst(tables.weightDiffs)) {
    if (height === 0n || (height !== last && stop(height, changes))) {
      from = height
      break
    }
    last = height
    changes++
    add(nodeID, { height, weight })
  }
  for (const [{ nodeID, height }, keyBefore] of newestFirst(tables.keyDiffs)) {
    if (height <= from) break
    add(nodeID, { height, keyBefore })
  }
  const nodes = [...new Set([...set.keys(), ...changesOf.keys()])].sort()
  const rows: SegmentRow[] = []
  for (const nodeID of nodes) rows.push(...rowsOf(nodeID, statesOf(set.get(nodeID), changesOf.get(nodeID) ?? [], from)))
  return { from, rows, upTo, changes }
}

/** The weight and key of a node from a height on. The weight is 0 while the node was no member. */
interface MemberState extends Member {
  readonly since: bigint
}

/** Returns the states of a node in a segment, newest first. */
function statesOf(now: Member | undefined, changes: readonly MemberChange[], from: bigint): MemberState[] {
  const states: MemberState[] = []
  let { weight, publicKey } = now ?? { weight: 0n, publicKey: undefined }
  let since: bigint | undefined
  for (const change of changes.toSorted((a, b) => Number(b.height - a.height))) {
    // The weight and the key may have changed in one block.
    if (change.height !== since) states.push({ since: change.height, weight, publicKey })
    since = change.height
    if (change.weight) weight += change.weight.decrease ? change.weight.amount : -change.weight.amount
    if (change.keyBefore) publicKey = change.keyBefore.publicKey
  }
  states.push({ since: from, weight, publicKey })
  return states
}

/** The rows of a node, one for each key that it was a member with. */
function rowsOf(nodeID: NodeID, states: readonly MemberState[]): SegmentRow[] {
  const keys: Member["publicKey"][] = []
  for (const { weight, publicKey } of states) {
    if (weight > 0n && !keys.some((key) => isSameKey(key, publicKey))) keys.push(publicKey)
  }
  return keys.map((publicKey) => ({ nodeID, publicKey, spans: spansWith(publicKey, states) }))
}

/** The weights of a node with one of its keys: 0 while it had another one. */
function spansWith(key: Member["publicKey"], states: readonly MemberState[]): WeightSpan[] {
  const spans: WeightSpan[] = []
  for (const { since, weight, publicKey } of states) {
    const own = isSameKey(key, publicKey) ? weight : 0n
    // Neighbours of equal weight are one span, which begins with the older.
    if (spans.at(-1)?.weight === own) spans.pop()
    spans.push({ since, weight: own })
  }
  return spans
}

function isSameKey(a: Member["publicKey"], b: Member["publicKey"]): boolean {
  return a === b || (a !== undefined && b !== undefined && equalBytes(a, b))
}
