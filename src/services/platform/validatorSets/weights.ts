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
}

/** Approximate bytes of a member. */
const MEMBER_BYTES = 150

/** Returns the present weights of a subnet's validators: at once if they are few or known, otherwise in steps. */
export function weightsOf(context: Context, subnetID: ID): MaybeWork<Weights> {
  const { memo, changes } = context
  const key = `weights ${subnetID} ${changes.state}`
  return memo.value(
    key,
    ({ nodeIDs }) => nodeIDs.length * MEMBER_BYTES,
    () => after(membersOf(context, subnetID), summed),
  )
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
  return { nodeIDs: members.map(([{ nodeID }]) => nodeID), sums, total }
}

/** Approximate bytes of a member with its key. */
const SET_MEMBER_BYTES = 400

/** Returns the present validator set of a subnet. */
export function* currentSetOf(context: Context, subnetID: ID): Work<ValidatorSet> {
  const { memo, changes } = context
  const make = () =>
    after(
      membersOf(context, subnetID),
      (members): ValidatorSet => new Map(members.map(([{ nodeID }, member]) => [nodeID, member])),
    )
  const found = memo.value(`currentSet ${subnetID} ${changes.state}`, (set) => set.size * SET_MEMBER_BYTES, make)
  return isWork(found) ? yield* found : found
}
