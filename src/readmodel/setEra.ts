import { currentSet, type ValidatorSet } from "../rules/validatorSet.js"
import { type Member, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { ID, NodeID } from "../types/id.js"
import { changesUpTo, checkpointFrom, lastSetChange } from "./validatorSets.js"

/** What a node was in a validator set from the block at a height on, until its next spell. Without weight it was no member. */
export interface Spell extends Member {
  readonly since: bigint
}

/** A subnet's validator set through a stretch of heights. Once past, it never changes. */
export interface SetEra {
  /** The first and the last height. */
  readonly from: bigint
  readonly upTo: bigint
  /** By node, newest first; the last spell of each begins at `from`. */
  readonly spells: ReadonlyMap<NodeID, readonly Spell[]>
  /** How many spells there are. */
  readonly size: number
}

/** An era reaches at least this many changes further back than it must: who asks for one height soon asks for others. */
const FEWEST_MORE = 256

/**
 * The era of a height at which the set changed: from the next whole set at or above it, or from the present one, as far back
 * as the height and once more as many changes.
 */
export function eraAround(view: View, subnetID: ID, height: bigint): SetEra {
  const { set, upTo } = wholeSetFrom(view, subnetID, height)
  const changes = new Map<NodeID, Change[]>()
  const from = upTo === height ? height : collectChanges(view, subnetID, { height, upTo }, changes)
  const spells = new Map<NodeID, readonly Spell[]>()
  let size = 0
  for (const nodeID of new Set([...set.keys(), ...changes.keys()])) {
    const all = spellsOf(set.get(nodeID) ?? NO_MEMBER, changes.get(nodeID) ?? [], from)
    spells.set(nodeID, all)
    size += all.length
  }
  return { from, upTo, spells, size }
}

/** What a node was at a height of the era. */
export function spellAt(spells: readonly Spell[], height: bigint): Spell {
  for (const spell of spells) if (spell.since <= height) return spell
  throw new Error(`the era begins after height ${height}`)
}

/** The set at a height of the era. */
export function setIn({ spells }: SetEra, height: bigint): ValidatorSet {
  const set: ValidatorSet = new Map()
  for (const [nodeID, all] of spells) {
    const { weight, publicKey } = spellAt(all, height)
    if (weight > 0n) set.set(nodeID, { weight, publicKey })
  }
  return set
}

const NO_MEMBER: Member = { weight: 0n, publicKey: [] }

/** One change of a node: what its weight gained, and the key that it had before where that changed. */
interface Change {
  readonly height: bigint
  readonly gained: bigint
  keyBefore: Member["publicKey"] | undefined
}

function wholeSetFrom(view: View, subnetID: ID, height: bigint): { set: ValidatorSet; upTo: bigint } {
  const checkpoint = checkpointFrom(view, subnetID, height)
  if (checkpoint) return { set: checkpoint.set, upTo: checkpoint.height }
  return { set: currentSet(view, subnetID), upTo: lastSetChange(view, subnetID) ?? height }
}

/** Notes all changes above some height and says which: the wanted one, or one further back. */
function collectChanges(
  view: View,
  subnetID: ID,
  { height, upTo }: { height: bigint; upTo: bigint },
  changes: Map<NodeID, Change[]>,
): bigint {
  const range = changesUpTo(subnetID, upTo)
  let read = 0
  let enough = Number.POSITIVE_INFINITY
  let last = upTo
  let from = 0n
  for (const [key, { decrease, amount }] of view.rows(tables.weightDiffs, range)) {
    if (key.height <= height) enough = Math.min(enough, read + Math.max(read, FEWEST_MORE))
    if (key.height !== last && read >= enough) {
      from = key.height
      break
    }
    last = key.height
    read++
    note(changes, key.nodeID, { height: key.height, gained: decrease ? -amount : amount, keyBefore: undefined })
  }
  for (const [key, keyBefore] of view.rows(tables.keyDiffs, range)) {
    if (key.height <= from) break
    const change = changes.get(key.nodeID)?.find((each) => each.height === key.height)
    if (change) change.keyBefore = keyBefore
    else note(changes, key.nodeID, { height: key.height, gained: 0n, keyBefore })
  }
  return from
}

function note(changes: Map<NodeID, Change[]>, nodeID: NodeID, change: Change): void {
  const all = changes.get(nodeID)
  if (all) all.push(change)
  else changes.set(nodeID, [change])
}

/** The spells of a node that ended as this member. */
function spellsOf({ weight, publicKey }: Member, changes: readonly Change[], from: bigint): Spell[] {
  const spells: Spell[] = []
  for (const { height, gained, keyBefore } of [...changes].sort((a, b) => (a.height > b.height ? -1 : 1))) {
    spells.push({ since: height, weight, publicKey })
    weight -= gained
    publicKey = keyBefore ?? publicKey
  }
  spells.push({ since: from, weight, publicKey })
  return spells
}
