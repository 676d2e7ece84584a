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

/** What a member takes here, about. */
const MEMBER_BYTES = 150

/** The weights of a subnet's validators as they are now. */
export function weightsOf(context: Context, subnetID: ID): Weights {
  const { value, store } = context.cache.stateSlot<Weights>(`platform.weights ${subnetID}`)
  if (value) return value
  const weights = summed(context, subnetID)
  // A subnet without validators is found out quickly, and strangers may name many.
  return weights.nodeIDs.length === 0 ? weights : store(weights)
}

function summed({ view }: Context, subnetID: ID): Weights {
  const nodeIDs: NodeID[] = []
  const sums: bigint[] = []
  let total = 0n
  for (const [{ nodeID }, { weight }] of view.rows(tables.members, { under: { subnetID } })) {
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
