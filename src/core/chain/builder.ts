import { type Block, blockOf } from "../blocks/block.js"
import { doNow, type Work } from "../lib/work.js"
import { advanceChainTime, nextBlockTime, nextStakerToReward } from "../rules/chainTime.js"
import { Diff } from "../state/diff.js"
import { isValidator, type Staker } from "../state/staker.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { signedTxOf, type Tx } from "../txs/tx.js"
import type { ID } from "../types/id.js"
import { type PackContext, type PackingResult, packing } from "./packing.js"

/** Parent, state and rules of the next block. */
export interface BuildContext extends PackContext {
  readonly parent: { readonly id: ID; readonly height: bigint }
  /** The state after the parent. */
  readonly state: View
  /** The time at which stakers change, if that limits the block's time. */
  readonly cappedTo?: bigint | undefined
}

/** The result of building a block. */
export interface BuildResult extends PackingResult {
  /** The block; `undefined` if there is nothing that a block could change. */
  readonly block: Block | undefined
  /** The staker whose period has ended: it leaves, rewarded or not, or begins its next cycle. */
  readonly ended: Staker | undefined
}

const EMPTY_PACKING: PackingResult = { packed: [], dropped: [], gasReadyInSeconds: undefined, isShortOfGas: false }

/**
 * Builds the next block as AvalancheGo does: its time, which a change of stakers may limit; the candidates in order, as long as gas and
 * space last; and a reward if a staker's period has ended. Each candidate is one step.
 */
export function* buildingBlock(candidates: readonly Tx[], context: BuildContext): Work<BuildResult> {
  const { state, blockContext, parent, cappedTo } = context
  const { time, isCapped } =
    cappedTo === undefined ? nextBlockTime(state, blockContext, blockContext.now) : { time: cappedTo, isCapped: true }
  const found = candidates.length === 0 ? EMPTY_PACKING : yield* packing(candidates, stateAt(time, context), context)
  const { packed: txs } = found
  const common = { time, parentID: parent.id, height: parent.height + 1n }
  const next = nextStakerToReward(state, time)
  if (next?.isDue) {
    const tx = rewardTxFor(next.staker, state)
    return { ...found, ended: next.staker, block: blockOf({ kind: "BanffProposalBlock", ...common, txs, tx }) }
  }
  const block = txs.length > 0 || isCapped ? blockOf({ kind: "BanffStandardBlock", ...common, txs }) : undefined
  return { ...found, ended: undefined, block }
}

/** Returns the transaction that decides a staker's reward. For auto-renewed validators it also has the end of the cycle. */
function rewardTxFor(staker: Staker, state: View): Tx {
  const { txID, endTime: timestamp } = staker
  const isAutoRenewed = isValidator(staker.priority) && state.get(tables.renewals, staker) !== undefined
  return signedTxOf(
    isAutoRenewed ? { kind: "RewardAutoRenewedValidatorTx", txID, timestamp } : { kind: "RewardValidatorTx", txID },
    [],
  )
}

/** Returns the candidates that would not be valid in any block made now, whatever its size. */
export function invalidAmong(candidates: Iterable<Tx>, context: BuildContext): PackingResult["dropped"] {
  const { time } = nextBlockTime(context.state, context.blockContext, context.blockContext.now)
  return doNow(packing(candidates, stateAt(time, context), { ...context, isUnlimited: true })).dropped
}

/** Returns a copy of the state, advanced to a time. */
export function stateAt(time: bigint, { state, blockContext }: Pick<BuildContext, "state" | "blockContext">): Diff {
  const scratch = new Diff(state)
  advanceChainTime(scratch, blockContext, time)
  return scratch
}
