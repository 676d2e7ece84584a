import { currentSet, type ValidatorSet } from "../rules/validatorSet.js"
import { type Member, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { ID, NodeID } from "../types/id.js"
import { changesUntilDue } from "./setCheckpoints.js"
import { changesUpTo, checkpointFrom, lastSetChange } from "./validatorSets.js"

/**
 * A subnet's validator set through a stretch of heights: every spell of every node, a spell being what a node was from one change
 * to its next. Once past, it never changes. In columns, since hundreds of thousands of spells may be kept.
 */
export interface SetEra {
  /** The first and the last height. */
  readonly from: bigint
  readonly upTo: bigint
  /** Every node that was ever a member. */
  readonly nodeIDs: readonly NodeID[]
  /** Where the spells of each node begin among all, newest first; at the end, how many there are. */
  readonly starts: Uint32Array
  /** When each spell began, in blocks since `from`: the last one of each node at 0. */
  readonly since: Float64Array
  /** What the node weighed; 0: it was no member. */
  readonly weights: BigUint64Array
  readonly publicKeys: readonly Member["publicKey"][]
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
  return inColumns({ from, upTo }, drafts)
}

/** How many spells an era has. */
export const sizeOf = ({ weights }: SetEra): number => weights.length

/** Which spell each node was in at a height of the era. */
export function spellsAt({ from, nodeIDs, starts, since }: SetEra, height: bigint): Uint32Array {
  const blocks = Number(height - from)
  const spells = new Uint32Array(nodeIDs.length)
  for (let node = 0; node < spells.length; node++) {
    let spell = starts[node] as number
    while ((since[spell] as number) > blocks) spell++
    spells[node] = spell
  }
  return spells
}

/** The set at a height of the era. */
export function setIn(era: SetEra, height: bigint): ValidatorSet {
  const { nodeIDs, weights, publicKeys } = era
  const set: ValidatorSet = new Map()
  for (const [node, spell] of spellsAt(era, height).entries()) {
    const weight = weights[spell] as bigint
    if (weight > 0n) set.set(nodeIDs[node] as NodeID, { weight, publicKey: publicKeys[spell] as Member["publicKey"] })
  }
  return set
}

/** The spells of a node, being told from the newest on, and what it was before them. */
interface Draft {
  weight: bigint
  readonly publicKey: Member["publicKey"]
  readonly spells: { since: bigint; weight: bigint; publicKey: Member["publicKey"] }[]
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

function inColumns({ from, upTo }: { from: bigint; upTo: bigint }, drafts: ReadonlyMap<NodeID, Draft>): SetEra {
  let size = 0
  for (const { spells } of drafts.values()) size += spells.length
  const starts = new Uint32Array(drafts.size + 1)
  const since = new Float64Array(size)
  const weights = new BigUint64Array(size)
  const publicKeys: Member["publicKey"][] = []
  let node = 0
  for (const { spells } of drafts.values()) {
    for (const spell of spells) {
      since[publicKeys.length] = Number(spell.since - from)
      weights[publicKeys.length] = spell.weight
      publicKeys.push(spell.publicKey)
    }
    starts[++node] = publicKeys.length
  }
  return { from, upTo, nodeIDs: [...drafts.keys()], starts, since, weights, publicKeys }
}
