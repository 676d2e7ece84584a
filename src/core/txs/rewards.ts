import type { StakerInfo, TxContext } from "../rules/context.js"
import { rulesError } from "../rules/errors.js"
import { addUtxo } from "../rules/spend.js"
import type { Diff } from "../state/diff.js"
import { RewardKind } from "../state/facts.js"
import type { Staker } from "../state/staker.js"
import { tables } from "../state/tables.js"
import { type ID, idText } from "../types/id.js"
import type { OutputOwners } from "../types/owners.js"
import { txError } from "./errors.js"

/**
 * Returns the first staker to leave with the details of its transaction. It must be the staker that a reward names, at the end of its
 * period.
 */
export function dueStaker(
  context: TxContext,
  txID: ID,
): { readonly staker: Staker; readonly kind: string; readonly info: StakerInfo | undefined } {
  const staker = context.diff.first(tables.currentStakers)?.[1]
  if (!staker) throw txError("tx.no_staker_left")
  if (staker.txID !== txID) throw txError("tx.wrong_staker", { next: idText(staker.txID), got: idText(txID) })
  if (staker.endTime !== context.chainTime) {
    throw txError("tx.staker_too_early", { txID: idText(txID), end: staker.endTime, chainTime: context.chainTime })
  }
  const accepted = context.accepted(txID)
  if (!accepted) throw txError("tx.staker_tx_missing", { txID: idText(txID) })
  return { staker, kind: accepted.kind, info: accepted.staker }
}

/** Checks that a transaction that the chain makes, and no key signs, has no credentials. Throws `rules.unexpected_credential`. */
export function checkNoCredentials({ credentials }: TxContext): void {
  if (credentials.length > 0) throw rulesError("rules.unexpected_credential", { got: credentials.length })
}

/** Returns a stake as outputs of the staker's transaction, numbered after its outputs. */
export function returnStake({ stake, outputCount }: StakerInfo, { txID }: Staker, ...diffs: Diff[]): void {
  for (const [i, { assetID, output }] of stake.entries()) {
    for (const diff of diffs) addUtxo({ diff }, { txID, outputIndex: outputCount + i, assetID, output })
  }
}

/** A reward that may be zero. */
export interface Reward {
  readonly kind: keyof typeof RewardKind
  readonly amount: bigint
  readonly owner: OutputOwners
}

/**
 * Pays rewards in one outcome of a proposal (`by`): those that are not zero become UTXOs of a transaction, numbered from an index on, and are
 * recorded as rewards.
 */
export function payRewards(
  diff: Diff,
  { by, firstIndex, ...under }: { readonly by: ID; readonly txID: ID; readonly assetID: ID; readonly firstIndex: number },
  ...rewards: readonly Reward[]
): void {
  let outputIndex = firstIndex
  for (const { kind, amount, owner } of rewards) {
    if (amount === 0n) continue
    const { locktime, threshold, addresses } = owner
    const utxo = { ...under, outputIndex, output: { kind: "TransferOutput" as const, amount, locktime, threshold, addresses } }
    addUtxo({ diff }, utxo)
    diff.insert(tables.rewardUtxos, { txID: under.txID, outputIndex }, utxo)
    diff.record({ kind: "reward", by, rewardKind: RewardKind[kind], txID: under.txID, outputIndex })
    outputIndex++
  }
}
