import type { Pace } from "../../../core/lib/pace.js"
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

/** Returns the present weights of a subnet's validators. */
export async function weightsOf(context: Context, subnetID: ID, pace: Pace): Promise<Weights> {
  return context.memo.made(
    keyOf(context, subnetID),
    async () => summed(await membersOf(context, subnetID, pace)),
    ({ nodeIDs }) => nodeIDs.length * MEMBER_BYTES,
  )
}

/** Returns the present weights of a subnet's validators if a call has read them before. */
export function knownWeights(context: Context, subnetID: ID): Weights | undefined {
  return context.memo.known(keyOf(context, subnetID))
}

const keyOf = ({ changes }: Context, subnetID: ID) => `weights ${subnetID} ${changes.state}`

type MemberRow = readonly [{ readonly nodeID: NodeID }, Member]

async function membersOf({ view }: Context, subnetID: ID, pace: Pace): Promise<MemberRow[]> {
  const members: MemberRow[] = []
  for (const row of view.rows(tables.members, { under: { subnetID } })) {
    members.push(row)
    if (pace.isDue) await pace.pause()
  }
  return members
}

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
export async function currentSetOf(context: Context, subnetID: ID, pace: Pace): Promise<ValidatorSet> {
  const readSet = async (): Promise<ValidatorSet> => {
    const members = await membersOf(context, subnetID, pace)
    return new Map(members.map(([{ nodeID }, member]) => [nodeID, member]))
  }
  return context.memo.made(`currentSet ${subnetID} ${context.changes.state}`, readSet, ({ size }) => size * SET_MEMBER_BYTES)
}
