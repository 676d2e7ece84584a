import { weightChanges } from "../../../src/core/rules/delegation.js"
import {
  asCurrentStaker,
  isCurrent,
  isPermissioned,
  isValidator,
  Priority,
  type Staker,
  stakerKey,
} from "../../../src/core/state/staker.js"
import { tables } from "../../../src/core/state/tables.js"
import { given, row, stakerWith } from "../../fixtures/state.js"
import type { Entry, Group } from "../group.js"

const keyOf = ({ txID, nextTime, priority }: Entry) => ({ txID, nextTime: BigInt(nextTime), priority: Number(priority) })

/** A staker as a vector describes it. */
export function stakerOf(entry: Entry): Staker {
  const { startTime, endTime, weight } = entry
  return stakerWith({ ...keyOf(entry), startTime: BigInt(startTime), endTime: BigInt(endTime), weight: BigInt(weight) })
}

/** Converts AvalancheGo's name of a priority to Serac's, which has no "Network" for the primary network and no "Banff" for the second delegators. */
function priorityNamed(name: string): number | undefined {
  const ours = name
    .replace("PrimaryNetwork", "Primary")
    .replace("Banff", "")
    .replace(/^./, (first) => first.toLowerCase())
  return (Priority as Readonly<Record<string, number>>)[ours]
}

export const stakerOrdering: Group = {
  less({ input, expected }, verdict) {
    verdict.equal("less", stakerKey.toText(keyOf(input.left)) < stakerKey.toText(keyOf(input.right)), expected.less)
  },

  priority({ input, expected }, verdict) {
    const value = priorityNamed(input.name)
    if (value === undefined) throw new Error(`no priority is called ${input.name}`)
    const current = isCurrent(value)
    const got = {
      value,
      isCurrent: current,
      isPending: !current,
      isValidator: isValidator(value),
      isDelegator: !isValidator(value),
      isPermissionedValidator: isPermissioned(value),
      promotesTo: current ? null : asCurrentStaker(value),
    }
    verdict.equal("priority", got, expected)
  },

  sort({ input, expected }, verdict) {
    const state = given(...input.stakers.map((each: Entry) => row(tables.currentStakers, keyOf(each), stakerWith(keyOf(each)))))
    const ids = input.stakers.map(({ txID }: Entry) => txID)
    const order = [...state.rows(tables.currentStakers)].map(([{ txID }]) => ids.indexOf(txID))
    verdict.equal("order", order, expected.order)
  },

  diffEvents({ input, expected }, verdict) {
    const changes = weightChanges(input.current.map(stakerOf), input.pending.map(stakerOf))
    const events = changes.map(({ txID, joins }) => ({ txID, added: joins }))
    verdict.equal("events", events, expected.events)
  },
}
