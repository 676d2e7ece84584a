import { accruedFeesOf, l1ExcessOf } from "../../core/rules/chainTime.js"
import { chainTimeOf, type Rules } from "../../core/rules/context.js"
import { l1FeesOver } from "../../core/rules/l1Fee.js"
import { activeL1Count } from "../../core/state/l1Validators.js"
import { tables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import type { ID } from "../../core/types/id.js"

/**
 * Returns the active L1 validators whose balance may be used up in a block of this time (Unix seconds), because it does not cover one
 * second more.
 */
export function l1ValidatorsExpiringBy(time: bigint, state: View, { params }: Rules): ID[] {
  const active = activeL1Count(state)
  if (active === 0n) return []
  const seconds = time - chainTimeOf(state) + 1n
  const limit = accruedFeesOf(state) + l1FeesOver(params.validatorFee, active, l1ExcessOf(state), seconds)
  const expiring: ID[] = []
  for (const [{ endAccumulatedFee, validationID }] of state.rows(tables.activeL1Validators)) {
    if (endAccumulatedFee > limit) break
    expiring.push(validationID)
  }
  return expiring
}

/** Counts the inactive validators among these. */
export function countInactive(validationIDs: readonly ID[], state: View): number {
  return validationIDs.filter((id) => state.get(tables.l1Validators, id)?.endAccumulatedFee === 0n).length
}
