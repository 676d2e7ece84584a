import { Random } from "../../../test/fuzz/random.js"
import { tables } from "../../core/state/tables.js"
import type { Edits, View } from "../../core/state/view.js"
import { randomChanges, randomID } from "../rows.fixture.js"

/** Returns the number of the last group in a state. */
export const groupsIn = (state: View): bigint => state.get(tables.accruedFees, null) ?? 0n

/** Returns the changes of the next group. They depend only on the state. */
export function nextGroup(state: View): Edits {
  const number = groupsIn(state) + 1n
  const random = new Random(Number(number))
  const diff = randomChanges(random, state, 200)
  for (let i = 0; i < 100; i++) diff.put(tables.blocks, randomID(random), random.bytes(random.below(600)))
  diff.put(tables.accruedFees, null, number)
  return diff.edits
}
