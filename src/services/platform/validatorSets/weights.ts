import { after, collect, isWork, type MaybeWork, type Work } from "../../../core/lib/work.js"
import type { ValidatorSet } from "../../../core/rules/validatorSet.js"
import { type Member, tables } from "../../../core/state/tables.js"
import type { ID, NodeID } from "../../../core/types/id.js"
import type { Context } from "../../context.js"
import { FewUnits, RandomUnits } from "./unitDraw.js"
import { WeightSums } from "./weightSums.js"

/** The members of a validator set and the sums of their weights. */
export interface Weights {
  readonly nodeIDs: readonly NodeID[]
  readonly sums: WeightSums
  /** The node IDs as JSON text, if they were printed already. */
  readonly texts: (string | undefined)[]
  /** Random units of weight, and samples of a few of them. */
  readonly units: RandomUnits
  readonly fewUnits: FewUnits
  /** The size in memory, bytes. */
  readonly size: number
}

/** Approximate bytes of a member. */
const MEMBER_BYTES = 230

/** Returns the present weights of a subnet's validators: at once if they are few or cached, otherwise in steps. */
export function weightsOf(context: Context, subnetID: ID): MaybeWork<Weights> {
  const { value, store } = context.cache.stateSlot<Weights>(`platform.weights ${subnetID}`)
  if (value) return value
  return after(membersOf(context, subnetID), (members) => {
    const weights = summed(members)
    // A subnet without validators is answered quickly, and clients may name many of them, so it is not cached.
    return members.length === 0 ? weights : store(weights)
  })
}

type MemberRow = readonly [{ readonly nodeID: NodeID }, Member]

const membersOf = ({ view }: Context, subnetID: ID): MaybeWork<MemberRow[]> =>
  collect(view.rows(tables.members, { under: { subnetID } }))

function summed(members: readonly MemberRow[]): Weights {
  const sums = new WeightSums(members.map(([, { weight }]) => weight))
  const units = new RandomUnits(sums.total)
  return {
    nodeIDs: members.map(([{ nodeID }]) => nodeID),
    sums,
    texts: [],
    units,
    fewUnits: new FewUnits(units),
    size: members.length * MEMBER_BYTES + RandomUnits.SIZE,
  }
}

/** Returns the present validator set of a subnet. */
export function* currentSetOf(context: Context, subnetID: ID): Work<ValidatorSet> {
  const { value, store } = context.cache.stateSlot<{ readonly set: ValidatorSet; readonly size: number }>(
    `currentSet ${subnetID}`,
  )
  if (value) return value.set
  const found = membersOf(context, subnetID)
  const members = isWork(found) ? yield* found : found
  const set: ValidatorSet = new Map(members.map(([{ nodeID }, member]) => [nodeID, member]))
  return store({ set, size: set.size * SET_MEMBER_BYTES }).set
}

/** Approximate bytes of a member with its key. */
const SET_MEMBER_BYTES = 400
