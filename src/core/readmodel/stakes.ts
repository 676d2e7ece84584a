import type { TypeOf } from "../codec/schema.js"
import { mergeSorted } from "../lib/mergeSorted.js"
import type { Pace } from "../lib/pace.js"
import { isCurrent, isValidator } from "../state/staker.js"
import type { View } from "../state/view.js"
import type { Address } from "../types/address.js"
import { ownerKeysFor } from "./ownerGroups.js"
import { readTables, type stakedOutput } from "./tables.js"

export type StakedOutput = TypeOf<typeof stakedOutput>

/**
 * Returns the staked outputs of these addresses on all subnets, now or in a period that has not begun: each output once, in the order in
 * which current stakers leave and then pending ones begin.
 */
export async function stakesOf(
  view: View,
  addresses: readonly Address[],
  pace: Pace,
  { validatorsOnly = false } = {},
): Promise<readonly StakedOutput[]> {
  const outputs = new Map<string, StakedOutput>()
  for (const owner of new Set(addresses.flatMap((address) => ownerKeysFor(view, address)))) {
    for (const [{ txID, outputIndex }, staked] of view.rows(readTables.stakesByAddress, { under: { owner } })) {
      if (isValidator(staked.priority) || !validatorsOnly) outputs.set(`${txID}${outputIndex}`, staked)
      if (pace.isDue) await pace.pause()
    }
  }
  const turns = [...outputs].map(([place, staked]) => ({ place, staked }))
  return (await sortedWithPauses(turns, byTurn, pace)).map(({ staked }) => staked)
}

interface Turn {
  /** Transaction and output, which order equal entries. */
  readonly place: string
  readonly staked: StakedOutput
}

function byTurn({ place: placeA, staked: a }: Turn, { place: placeB, staked: b }: Turn): number {
  if (isCurrent(a.priority) !== isCurrent(b.priority)) return isCurrent(a.priority) ? -1 : 1
  if (a.nextTime !== b.nextTime) return a.nextTime < b.nextTime ? -1 : 1
  return a.priority - b.priority || (placeA < placeB ? -1 : 1)
}

/** Number of items that are sorted in one piece, which takes some milliseconds. */
const AT_ONCE = 2048

/** Sorts items like `toSorted` with pauses: it sorts runs of items, and then merges them. */
export async function sortedWithPauses<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  pace: Pace,
): Promise<readonly T[]> {
  const runs: T[][] = []
  for (let start = 0; start < items.length; start += AT_ONCE) {
    runs.push(items.slice(start, start + AT_ONCE).sort(compare))
    if (pace.isDue) await pace.pause()
  }
  if (runs.length < 2) return runs[0] ?? []
  const sorted: T[] = []
  for (const item of mergeSorted(runs, compare)) {
    sorted.push(item)
    if (sorted.length % AT_ONCE === 0 && pace.isDue) await pace.pause()
  }
  return sorted
}
