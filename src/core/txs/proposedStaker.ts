import type { StakerInfo, TxContext } from "../rules/context.js"
import { consumeInputs, produceOutputs } from "../rules/spend.js"
import { recordStaker } from "../rules/staking.js"
import type { Diff } from "../state/diff.js"
import type { Base } from "./base.js"

/**
 * Makes the members of a kind that adds a staker, and that was a proposal until Banff: its execution at once, and its two outcomes as a
 * proposal. `verify` checks the transaction against the state.
 */
export function proposedStaker<T extends Base>(stakerOf: (tx: T) => StakerInfo, verify: (tx: T, context: TxContext) => void) {
  const execute = (tx: T, context: TxContext): void => {
    verify(tx, context)
    recordStaker(context, stakerOf(tx))
  }
  const propose = (tx: T, context: TxContext, abort: Diff): void => {
    execute(tx, context)
    moveFunds(tx, context, { ...context, diff: abort }, stakerOf(tx))
  }
  return { staker: stakerOf, execute, propose }
}

/** Spends the inputs in both outcomes. If the proposal is aborted, the stake is returned at once. */
function moveFunds(tx: Base, commit: TxContext, abort: TxContext, { stake }: StakerInfo): void {
  for (const outcome of [commit, abort]) {
    consumeInputs(outcome, tx.inputs)
    produceOutputs(outcome, tx.outputs)
  }
  produceOutputs(abort, stake, tx.outputs.length)
}
