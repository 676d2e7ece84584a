import { after, collect, isWork, type MaybeWork, type Work } from "../../../core/lib/work.js"
import type { ValidatorSet } from "../../../core/rules/validatorSet.js"
import { type Member, tables } from "../../../core/state/tables.js"
import type { ID, NodeID } from "../../../core/types/id.js"
import type { Context } from "../../context.js"

/** The members of a validator set and their weights. */
export interface Weights {
  readonly nodeIDs: readonly NodeID[]
  /** The sum of the weights of each member and of those before it. */
  readonly sums: readonly bigint[]
  readonly total: bigint
  /** The size in memory, bytes. */
  readonly size: number
}

/** Approximate bytes of a member. */
const MEMBER_BYTES = 150

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
  const sums: bigint[] = []
  let total = 0n
  for (const [, { weight }] of members) {
    total += weight
    sums.push(total)
  }
  return { nodeIDs: members.map(([{ nodeID }]) => nodeID), sums, total, size: members.length * MEMBER_BYTES }
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
