import { requireBlock } from "../blocks/acceptedBlocks.js"
import { toJson } from "../codec/valueSink.js"
import { type Json, printJson } from "../lib/json.js"
import { openWarpMessage } from "../rules/warp.js"
import { DepartureReason, END_STEP, type Fact, type FactOf, fact as factCodec, RewardKind, TIME_STEP } from "../state/facts.js"
import { TxStatus, tables } from "../state/tables.js"
import { type View, valuesOf } from "../state/view.js"
import { acceptedStaker, requireStaker } from "../txs/execute.js"
import type { Tx } from "../txs/tx.js"
import { type ID, idText } from "../types/id.js"
import { placedTxs } from "./acceptedBlock.js"
import { createdL1Validator } from "./creations.js"

/**
 * Compares what the execution recorded of each block with the transactions and the state. Yields a sentence for each fact that contradicts
 * them, and `undefined` after each block, for pauses.
 */
export function* faultsInFacts(view: View): Iterable<string | undefined> {
  const present = new Set<ID>()
  for (const table of [tables.currentStakers, tables.pendingStakers])
    for (const { txID } of valuesOf(view.rows(table))) present.add(txID)
  const left = new Set<ID>()
  let rewards = 0
  for (const [height, facts] of view.rows(tables.facts)) {
    const blockID = view.get(tables.blockIDs, height)
    const placed = blockID ? placedTxs(requireBlock(view, blockID), facts, false) : []
    for (const fact of facts) {
      if (fact.kind === "reward") rewards++
      const due = blockID ? contradiction(view, fact, placed[fact.step - 1]?.tx) : "the chain has no such block"
      if (due !== undefined) yield sentence(height, fact, due)
      if (fact.kind !== "departure") continue
      if (left.has(fact.stakerID) || present.has(fact.stakerID))
        yield sentence(height, fact, present.has(fact.stakerID) ? "it is still there" : "it left before")
      left.add(fact.stakerID)
    }
    yield undefined
  }
  for (const _ of view.rows(tables.rewardUtxos)) rewards--
  if (rewards !== 0)
    yield `facts and rewardUtxos do not have the same number of rewards: facts has ${Math.abs(rewards)} ${rewards > 0 ? "more" : "fewer"}`
}

const sentence = (height: bigint, fact: Fact, due: string): string =>
  `facts has under ${height} ${printJson(toJson(factCodec, fact, { hrp: "local" }) as Json)}, and ${due}`

/** Returns what the transaction of a fact, or the state, says in its place; `undefined` if they agree. */
function contradiction(view: View, fact: Fact, tx: Tx | undefined): string | undefined {
  switch (fact.kind) {
    case "departure":
      return contradictedDeparture(view, fact, tx)
    case "reward":
      return contradictedReward(view, fact, tx)
    case "refund": {
      const change = tx?.unsignedTx
      if (change?.kind !== "DisableL1ValidatorTx" && change?.kind !== "SetL1ValidatorWeightTx") return "its step refunds nothing"
      const { txID, outputIndex } = fact.utxo
      const isNext = txID === tx?.id && outputIndex === change.outputs.length
      return isNext ? undefined : `the refund of ${idText(tx?.id as ID)} has the index ${change.outputs.length}`
    }
    case "runOut": {
      if (fact.step !== TIME_STEP && fact.step !== END_STEP) return "a balance is used up before the transactions or after them"
      return createdL1Validator(view, fact.validationID) ? undefined : "there was no such L1 validator"
    }
  }
}

function contradictedDeparture(
  view: View,
  { stakerID, reason, step }: FactOf<"departure">,
  tx: Tx | undefined,
): string | undefined {
  const due = departureBy(view, tx)
  const staker = acceptedStaker(view, stakerID) ?? createdL1Validator(view, stakerID)
  if (!staker) return "there was no such staker"
  if (step === TIME_STEP) return reason === DepartureReason.expired ? undefined : "the time of a block ends stakers as expired"
  if (!due) return "its step ends no staker"
  const { stakerID: other, reason: dueReason } = due
  if (other !== undefined && other !== stakerID) return `its transaction ends ${idText(other)}`
  return dueReason === reason ? undefined : `its transaction ends it with the reason ${dueReason}`
}

interface DueDeparture {
  readonly stakerID: ID | undefined
  readonly reason: number
}

/** Returns the staker that a transaction ends, if it names it, and the reason. */
function departureBy(view: View, tx: Tx | undefined): DueDeparture | undefined {
  switch (tx?.unsignedTx.kind) {
    case "RewardValidatorTx":
    case "RewardAutoRenewedValidatorTx": {
      const isCommitted = view.get(tables.txs, tx.id)?.status === TxStatus.committed
      return { stakerID: tx.unsignedTx.txID, reason: isCommitted ? DepartureReason.rewarded : DepartureReason.unrewarded }
    }
    case "RemoveSubnetValidatorTx":
      return { stakerID: undefined, reason: DepartureReason.removed }
    case "SetL1ValidatorWeightTx": {
      const { validationID } = openWarpMessage(tx.unsignedTx.message, "L1ValidatorWeight").message
      return { stakerID: validationID, reason: DepartureReason.removed }
    }
    default:
      return undefined
  }
}

function contradictedReward(
  view: View,
  { txID, outputIndex, rewardKind }: FactOf<"reward">,
  tx: Tx | undefined,
): string | undefined {
  const { unsignedTx } = tx ?? {}
  if (unsignedTx?.kind !== "RewardValidatorTx" && unsignedTx?.kind !== "RewardAutoRenewedValidatorTx")
    return "its step pays no reward"
  const numberedUnder = unsignedTx.kind === "RewardValidatorTx" ? unsignedTx.txID : (tx?.id as ID)
  if (txID !== numberedUnder) return `its transaction pays rewards of ${idText(numberedUnder)}`
  if (!view.get(tables.rewardUtxos, { txID, outputIndex })) return "rewardUtxos has no such reward"
  const own = RewardKind[requireStaker(view, unsignedTx.txID).role === "validator" ? "validation" : "delegation"]
  return rewardKind === own || rewardKind === RewardKind.delegationFee ? undefined : `its staker gets the kind ${own}`
}
