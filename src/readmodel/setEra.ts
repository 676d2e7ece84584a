import { currentSet, type ValidatorSet } from "../rules/validatorSet.js"
import { type Member, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { ID, NodeID } from "../types/id.js"
import { changesUntilDue } from "./setCheckpoints.js"
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

/** How many changes an era reaches further back than it must, at least: who asks for one height soon asks for others. */
const FEWEST_MORE = 256

/**
 * The era of a height at which the set changed: from the next whole set at or above it, or from the present one, as far back
 * as the height and once more as many changes, but not past where another whole set is due.
 */
export function eraAround(view: View, subnetID: ID, height: bigint): SetEra {
  const { set, upTo } = wholeSetFrom(view, subnetID, height)
  const drafts = new Map<NodeID, Draft>()
  for (const [nodeID, { weight, publicKey }] of set) drafts.set(nodeID, { weight, publicKey, spells: [] })
  const due = changesUntilDue(set.size)
  const from = upTo === height ? height : undoWeights(view, subnetID, { height, upTo, due }, drafts)
  for (const { spells, weight, publicKey } of drafts.values()) spells.push({ since: from, weight, publicKey })
  undoKeys(view, subnetID, { from, upTo }, drafts)
  let size = 0
  const spells = new Map<NodeID, readonly Spell[]>()
  for (const [nodeID, draft] of drafts) {
    size += draft.spells.length
    spells.set(nodeID, draft.spells)
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

/** The spells of a node, being told from the newest on, and what it was before them. */
interface Draft {
  weight: bigint
  readonly publicKey: Member["publicKey"]
  readonly spells: { -readonly [K in keyof Spell]: Spell[K] }[]
}

function wholeSetFrom(view: View, subnetID: ID, height: bigint): { set: ValidatorSet; upTo: bigint } {
  const checkpoint = checkpointFrom(view, subnetID, height)
  if (checkpoint) return { set: checkpoint.set, upTo: checkpoint.height }
  return { set: currentSet(view, subnetID), upTo: lastSetChange(view, subnetID) ?? height }
}

/** Tells all spells above some height by their weights, and says which: the wanted one, or one further back. */
function undoWeights(
  view: View,
  subnetID: ID,
  { height, upTo, due }: { height: bigint; upTo: bigint; due: number },
  drafts: Map<NodeID, Draft>,
): bigint {
  let read = 0
  let enough = Number.POSITIVE_INFINITY
  let last = upTo
  for (const [{ nodeID, height: since }, { decrease, amount }] of view.rows(tables.weightDiffs, changesUpTo(subnetID, upTo))) {
    if (since <= height) enough = Math.min(enough, Math.max(read, Math.min(read + Math.max(read, FEWEST_MORE), due)))
    if (since !== last && read >= enough) return since
    last = since
    read++
    const draft = draftOf(drafts, nodeID)
    const { weight, publicKey } = draft
    draft.spells.push({ since, weight, publicKey })
    draft.weight = decrease ? weight + amount : weight - amount
  }
  return 0n
}

/** Puts the keys right that nodes had before others. */
function undoKeys(view: View, subnetID: ID, { from, upTo }: { from: bigint; upTo: bigint }, drafts: Map<NodeID, Draft>): void {
  for (const [{ nodeID, height }, publicKey] of view.rows(tables.keyDiffs, changesUpTo(subnetID, upTo))) {
    if (height <= from) return
    const spells = drafts.get(nodeID)?.spells
    const at = spells?.findIndex(({ since }) => since <= height) ?? -1
    const spell = spells?.[at]
    if (!spells || !spell) throw new Error(`a key of ${nodeID} changed at height ${height}, and it was never a member`)
    // A key can change while the weight stays.
    if (spell.since < height) spells.splice(at, 0, { ...spell, since: height })
    for (const older of spells.slice(at + 1)) older.publicKey = publicKey
  }
}

function draftOf(drafts: Map<NodeID, Draft>, nodeID: NodeID): Draft {
  const known = drafts.get(nodeID)
  if (known) return known
  const draft: Draft = { weight: 0n, publicKey: [], spells: [] }
  drafts.set(nodeID, draft)
  return draft
}
