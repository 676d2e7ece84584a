import { currentSet, type ValidatorSet } from "../../../core/rules/validatorSet.js"
import { tables } from "../../../core/state/tables.js"
import type { ID, NodeID } from "../../../core/types/id.js"
import type { Context } from "../../context.js"

/** The members of a validator set, each with what it and those before it weigh. */
export interface Weights {
  readonly nodeIDs: readonly NodeID[]
  readonly sums: readonly bigint[]
  readonly total: bigint
  /** Bytes. */
  readonly size: number
}

const NO_WEIGHTS: Weights = { nodeIDs: [], sums: [], total: 0n, size: 0 }

/** What a member takes here, about. */
const MEMBER_BYTES = 150

/** The weights of a subnet's validators as they are now. */
export function weightsOf(context: Context, subnetID: ID): Weights {
  // A subnet without validators is found out quickly, and strangers may name many.
  for (const _ of context.view.rows(tables.members, { prefix: subnetID })) {
    return context.cache.forState(`platform.weights ${subnetID}`, () => summed(context, subnetID))
  }
  return NO_WEIGHTS
}

function summed({ view }: Context, subnetID: ID): Weights {
  const nodeIDs: NodeID[] = []
  const sums: bigint[] = []
  let total = 0n
  for (const [{ nodeID }, { weight }] of view.rows(tables.members, { prefix: subnetID })) {
    total += weight
    nodeIDs.push(nodeID)
    sums.push(total)
  }
  return { nodeIDs, sums, total, size: nodeIDs.length * MEMBER_BYTES }
}

/** The present validator set of a subnet. */
export function currentSetOf(context: Context, subnetID: ID): ValidatorSet {
  return context.cache.forState(`currentSet ${subnetID}`, () => {
    const set = currentSet(context.view, subnetID)
    return { set, size: set.size * SET_MEMBER_BYTES }
  }).set
}

/** What a member takes with its key, about. */
const SET_MEMBER_BYTES = 400
