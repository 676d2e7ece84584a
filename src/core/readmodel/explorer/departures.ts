import type { TypeOf } from "../../codec/schema.js"
import type { Diff } from "../../state/diff.js"
import { DepartureReason, type Fact } from "../../state/facts.js"
import type { PastReader } from "../../state/view.js"
import { acceptedStaker } from "../../txs/execute.js"
import type { ID, NodeID } from "../../types/id.js"
import { createdL1Validator } from "../creations.js"
import type { BlockProjection } from "../projection.js"
import type { Moment } from "../tables.js"
import { type MomentRange, newestOf } from "./moments.js"
import { explorerTables } from "./tables.js"

/**
 * Records validators that left a subnet: rewarded or not, removed by the owner of the subnet or by the manager of the L1, or at their end.
 */
export const departures: BlockProjection = {
  onBlock({ diff }, { height, txs, facts }) {
    for (const { index, facts: own } of txs) for (const fact of own) depart(diff, fact, { height, index })
    let index = FIRST_EXPIRED
    for (const fact of facts) if (fact.kind === "departure") depart(diff, fact, { height, index: index++ })
  },
}

/** Records when the balances of L1 validators were used up. */
export const runOuts: BlockProjection = {
  onBlock({ diff }, { height, facts }) {
    for (const fact of facts) {
      if (fact.kind !== "runOut") continue
      const { validationID, step: index } = fact
      diff.insert(explorerTables.runOuts, { validationID, height, index }, null)
    }
  },
}

/** The index of the first validator that leaves at its end, without a transaction: apart from those of all transactions of a block. */
const FIRST_EXPIRED = 0x8000_0000

function depart(diff: Diff, fact: Fact, { height, index }: Moment): void {
  if (fact.kind !== "departure") return
  const { stakerID, reason } = fact
  const staker = acceptedStaker(diff, stakerID)
  const left = staker ?? createdL1Validator(diff, stakerID)
  if (!left) throw new Error(`the validator ${stakerID} left and was never added`)
  if (staker?.role === "delegator") return
  const { subnetID, nodeID } = left
  diff.insert(explorerTables.departures, { subnetID, height, index }, { nodeID, stakerID, reason })
}

/** A validator that left a subnet. */
export interface Departure extends Moment {
  readonly nodeID: NodeID
  /** The transaction that added the validator, or the validation ID of an L1 validator. */
  readonly stakerID: ID
  readonly reason: keyof typeof DepartureReason
}

const reasons = Object.keys(DepartureReason) as (keyof typeof DepartureReason)[]

export const departureOf = ({ height, index }: Moment, row: TypeOf<typeof explorerTables.departures.value>): Departure => ({
  ...{ height, index, nodeID: row.nodeID, stakerID: row.stakerID },
  reason: reasons[row.reason] as Departure["reason"],
})

/** Returns the validators that left a subnet, the last one first. */
export async function departuresOf(
  past: PastReader,
  subnetID: ID,
  page: MomentRange & { readonly limit: number },
): Promise<Departure[]> {
  const entries = await newestOf(past, { table: explorerTables.departures, under: [{ subnetID }], ...page })
  return entries.flatMap(({ found }) => found.map(([key, row]) => departureOf(key, row)))
}
