import type { TxContext } from "../rules/context.js"
import { consumeInputs, produceOutputs } from "../rules/spend.js"
import type { Diff } from "../state/diff.js"
import type { TransferableOutput } from "../types/output.js"
import type { Base } from "./base.js"

/** Writes the two outcomes of a proposed staker. The inputs are spent in both; if it is refused, its stake is returned at once. */
export function returnWithoutStaking(context: TxContext, abort: Diff, tx: Base, stake: readonly TransferableOutput[] = []): void {
  const refused = { ...context, diff: abort }
  for (const end of [context, refused]) {
    consumeInputs(end, tx.inputs)
    produceOutputs(end, tx.outputs)
  }
  produceOutputs(refused, stake, tx.outputs.length)
}
