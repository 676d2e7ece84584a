import type { Pace } from "../../../core/lib/pace.js"
import { accruedFeesOf, l1ExcessOf } from "../../../core/rules/chainTime.js"
import { chainTimeOf, type Rules } from "../../../core/rules/context.js"
import type { L1FeeState, L1Health, L1Member } from "../../../core/rules/l1Health.js"
import { activeL1Count } from "../../../core/state/l1Validators.js"
import { tables } from "../../../core/state/tables.js"
import type { View } from "../../../core/state/view.js"
import type { ID } from "../../../core/types/id.js"

/** Returns the state that the fees of L1 validators depend on. */
export function l1FeeStateOf(view: View, { params }: Rules): L1FeeState {
  return {
    config: params.validatorFee,
    active: activeL1Count(view),
    excess: l1ExcessOf(view),
    accruedFees: accruedFeesOf(view),
    time: chainTimeOf(view),
  }
}

/** Yields all validators of an L1: those that pay a fee, and permissioned ones that have not left since the conversion. */
export function* l1Members(view: View, subnetID: ID): Generator<L1Member> {
  for (const [{ nodeID }, validationID] of view.rows(tables.l1ValidationIDs, { under: { subnetID } })) {
    const validator = view.get(tables.l1Validators, validationID)
    if (!validator) throw new Error(`L1 validator ${validationID} is missing`)
    yield { nodeID, validationID, weight: validator.weight, endAccumulatedFee: validator.endAccumulatedFee }
  }
  for (const [{ nodeID }, { weight, endTime }] of view.rows(tables.currentValidators, { under: { subnetID } })) {
    yield { nodeID, validationID: undefined, weight, endAccumulatedFee: 0n, endTime }
  }
}

/** Returns all validators of an L1, with pauses. */
export async function l1MembersOf(view: View, subnetID: ID, pace: Pace): Promise<L1Member[]> {
  const members: L1Member[] = []
  for (const member of l1Members(view, subnetID)) {
    members.push(member)
    if (pace.isDue) await pace.pause()
  }
  return members
}

/** Whether an L1 can decide blocks, and for how long. */
export interface L1Verdict {
  readonly verdict: "halted" | "runsOut" | "lasts"
  /** The second in which the L1 can no longer decide blocks, Unix seconds; `undefined` unless it runs out. */
  readonly haltsAt: bigint | undefined
}

export function verdictOf({ snowman }: L1Health): L1Verdict {
  if (!snowman.isMet) return { verdict: "halted", haltsAt: undefined }
  return snowman.lostAt === undefined ? { verdict: "lasts", haltsAt: undefined } : { verdict: "runsOut", haltsAt: snowman.lostAt }
}
