import { Random } from "../../test/strangers/random.js"
import { tables } from "../core/state/tables.js"
import type { Edits, View } from "../core/state/view.js"
import { randomChanges, randomID } from "./rows.fixture.js"

/** The number of the last group that a state holds. */
export const groupsIn = (state: View): bigint => state.get(tables.accruedFees, null) ?? 0n

/** The changes of the group after the last: the same upon the same state, whoever makes them. */
export function nextGroup(state: View): Edits {
  const number = groupsIn(state) + 1n
  const random = new Random(Number(number))
  const diff = randomChanges(random, state, 200)
  for (let i = 0; i < 100; i++) diff.put(tables.blocks, randomID(random), random.bytes(random.below(600)))
  diff.put(tables.accruedFees, null, number)
  return diff.edits
}
