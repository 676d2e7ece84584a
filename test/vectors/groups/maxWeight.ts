import {
  apricotDelegationLimit,
  checkNotOverDelegated,
  delegationLimit,
  maxWeight as maxWeightOf,
} from "../../../src/core/rules/delegation.js"
import { Priority, type Staker } from "../../../src/core/state/staker.js"
import { tables } from "../../../src/core/state/tables.js"
import type { View } from "../../../src/core/state/view.js"
import { given, idOfNumber, row, stakerWith } from "../../fixtures/state.js"
import { refusalCode } from "../../refusal.js"
import type { Entry, Group } from "../group.js"
import { stakerOf } from "./stakerOrdering.js"

/** A validator of this weight, and a state with its delegators. */
function delegatedTo({ validatorWeight, currentDelegators, pendingDelegators }: Entry): { state: View; validator: Staker } {
  const state = given(
    ...currentDelegators.map(stakerOf).map((each: Staker) => row(tables.currentDelegators, each, each)),
    ...pendingDelegators.map(stakerOf).map((each: Staker) => row(tables.pendingDelegators, each, each)),
  )
  const priority = Priority.primaryValidatorCurrent
  return { state, validator: stakerWith({ priority, weight: BigInt(validatorWeight), txID: idOfNumber(0) }) }
}

function limitOf({ tx, apricotPhase3Active, validatorWeight, maxValidatorStake, factor }: Entry): bigint {
  const [weight, maximum] = [BigInt(validatorWeight), BigInt(maxValidatorStake)]
  if (tx === "AddDelegatorTx") return apricotDelegationLimit(weight, apricotPhase3Active ? maximum : undefined)
  return delegationLimit(weight, BigInt(factor), maximum)
}

export const maxWeight: Group = {
  getMaxWeight({ input, expected }, verdict) {
    const { state, validator } = delegatedTo(input)
    const peak = maxWeightOf(state, validator, BigInt(input.startTime), BigInt(input.endTime))
    verdict.equal("maxWeight", peak, expected.maxWeight)
  },

  overDelegated({ input, expected }, verdict) {
    const { state, validator } = delegatedTo(input)
    const period = { start: BigInt(input.startTime), end: BigInt(input.endTime) }
    const check = () => {
      const delegation = { ...period, weight: BigInt(input.delegatorWeight), limit: limitOf(input) }
      checkNotOverDelegated(state, validator, delegation)
    }
    if (expected.error !== undefined) return verdict.refuses(`delegation (${expected.error})`, check)
    verdict.equal("limit", limitOf(input), expected.limit)
    verdict.equal("maxWeight", maxWeightOf(state, validator, period.start, period.end), expected.maxWeight)
    verdict.equal("overDelegated", refusalCode(check) === "rules.over_delegated", expected.overDelegated)
  },
}
