import { type Block, blockOf } from "../blocks/block.js"
import type { Pace } from "../lib/pace.js"
import { advanceChainTime, nextBlockTime, nextStakerToReward } from "../rules/chainTime.js"
import { Diff } from "../state/diff.js"
import { isValidator, type Staker } from "../state/staker.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { signedTxOf, type Tx } from "../txs/tx.js"
import type { ID } from "../types/id.js"
import { type PackContext, Packing, type PackingResult } from "./packing.js"

/** Parent, state and rules of the next block. */
export interface BuildContext extends PackContext {
  readonly parent: { readonly id: ID; readonly height: bigint }
  readonly state: View
  /** The time at which stakers change, if that limits the block's time. */
  readonly cappedTo?: bigint | undefined
}

export interface BuildResult extends PackingResult {
  /** The block; `undefined` if there is nothing that a block could change. */
  readonly block: Block | undefined
  /** The staker whose period has ended: it leaves, rewarded or not, or begins its next cycle. */
  readonly ended: Staker | undefined
}

/**
 * A block in the making. It is built as AvalancheGo does: its time, which a change of stakers may limit; the candidates in order, as long as
 * gas and space last; and a reward if a staker's period has ended. Nothing else may change the chain meanwhile.
 */
export class BlockBuilder {
  readonly #context: BuildContext
  readonly #time: bigint
  readonly #isCapped: boolean
  #packing: Packing | undefined

  constructor(context: BuildContext) {
    const { state, blockContext, cappedTo } = context
    const next =
      cappedTo === undefined ? nextBlockTime(state, blockContext, blockContext.now) : { time: cappedTo, isCapped: true }
    this.#context = context
    this.#time = next.time
    this.#isCapped = next.isCapped
  }

  /** Takes the next candidate if it is valid. Returns false if neither it nor a later one fits into the block. */
  add(tx: Tx): boolean {
    this.#packing ??= new Packing(stateAt(this.#time, this.#context), this.#context)
    return this.#packing.add(tx)
  }

  /** Returns the block with the candidates that were taken. */
  finish(): BuildResult {
    const { state, parent } = this.#context
    const found = this.#packing?.result ?? EMPTY_PACKING
    const { packed: txs } = found
    const common = { time: this.#time, parentID: parent.id, height: parent.height + 1n }
    const next = nextStakerToReward(state, this.#time)
    if (next?.isDue) {
      const tx = rewardTxFor(next.staker, state)
      return { ...found, ended: next.staker, block: blockOf({ kind: "BanffProposalBlock", ...common, txs, tx }) }
    }
    const block = txs.length > 0 || this.#isCapped ? blockOf({ kind: "BanffStandardBlock", ...common, txs }) : undefined
    return { ...found, ended: undefined, block }
  }
}

const EMPTY_PACKING: PackingResult = { packed: [], dropped: [], gasReadyInSeconds: undefined, isShortOfGas: false }

/** Builds a block at once, for a node that decides with others which block is next. */
export function buildBlock(candidates: readonly Tx[], context: BuildContext): BuildResult {
  const builder = new BlockBuilder(context)
  for (const tx of candidates) if (!builder.add(tx)) break
  return builder.finish()
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
export async function invalidAmong(
  candidates: Iterable<Tx>,
  context: BuildContext,
  pace: Pace,
): Promise<PackingResult["dropped"]> {
  const { time } = nextBlockTime(context.state, context.blockContext, context.blockContext.now)
  const packing = new Packing(stateAt(time, context), { ...context, isUnlimited: true })
  for (const tx of [...candidates]) {
    packing.add(tx)
    if (pace.isDue) await pace.pause()
  }
  return packing.result.dropped
}

/** Returns a copy of the state, advanced to a time. */
export function stateAt(time: bigint, { state, blockContext }: Pick<BuildContext, "state" | "blockContext">): Diff {
  const scratch = new Diff(state)
  advanceChainTime(scratch, blockContext, time)
  return scratch
}
