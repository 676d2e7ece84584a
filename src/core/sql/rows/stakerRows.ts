import { isActive } from "../../networks/upgrades.js"
import { blockTime } from "../../readmodel/blockTimes.js"
import { rowsOfList } from "../../readmodel/explorer/moments.js"
import { rewardsPaidBy } from "../../readmodel/rewardsByAddress.js"
import { readTables } from "../../readmodel/tables.js"
import type { StakerInfo } from "../../rules/context.js"
import { DepartureReason, type FactOf, RewardKind } from "../../state/facts.js"
import { tables } from "../../state/tables.js"
import { requireStaker, stakerInfoOf } from "../../txs/execute.js"
import type { ID } from "../../types/id.js"
import { innerOutput } from "../../types/output.js"
import type { OutputOwners } from "../../types/owners.js"
import type { PublishedRange, RowContext, TxPlace } from "../rowContext.js"
import { sqlTables } from "../tables.js"

/** Adds the staker that a transaction creates, those that it ends, and the rewards that it pays. */
export function addStaking(context: RowContext, place: TxPlace): void {
  const info = place.isCommitted ? stakerInfoOf(place.tx.unsignedTx) : undefined
  if (info) addStaker(context, place, info)
  for (const fact of place.facts) if (fact.kind === "departure") addEnd(context, fact, { ...place, endedBy: place.tx.id })
  addRewards(context, place)
}

function addStaker({ rows, texts, rules }: RowContext, { tx, height, time }: TxPlace, info: StakerInfo): void {
  const { unsignedTx } = tx
  const isRenewed = unsignedTx.kind === "AddAutoRenewedValidatorTx"
  // From Durango on a staker begins with its block.
  const start = height > 0n && isActive(rules.upgrades, "durango", time) ? time : info.start
  const addressesOf = (owner: OutputOwners | undefined) => owner?.addresses.map(texts.address) ?? []
  rows.add(sqlTables.stakers, {
    tx_id: texts.id(tx.id),
    height,
    role: info.role,
    subnet_id: texts.id(info.subnetID),
    node_id: texts.node(info.nodeID),
    weight: info.weight,
    start_time: start,
    end_time: isRenewed ? start + unsignedTx.period : info.end,
    public_key: info.publicKey ?? null,
    delegation_shares: info.role === "validator" && info.rewardsOwner ? info.shares : null,
    is_auto_renewed: isRenewed,
    reward_addresses: addressesOf(info.rewardsOwner),
    delegation_reward_addresses: addressesOf(info.delegationRewardsOwner),
  })
}

/** The names of the reasons in the order of their numbers. */
const reasons = Object.keys(DepartureReason)

/** Adds the end of a staking period. Validators of L1s have events instead. */
export function addEnd(
  { rows, texts, view }: RowContext,
  { stakerID, reason }: FactOf<"departure">,
  { height, time, endedBy }: Pick<TxPlace, "height" | "time"> & { readonly endedBy: ID | undefined },
): void {
  if (view.get(readTables.l1ValidatorTxs, stakerID)) return
  rows.add(sqlTables.staker_ends, {
    tx_id: texts.id(stakerID),
    height,
    time,
    reason: reasons[reason] as string,
    ended_by: endedBy === undefined ? null : texts.id(endedBy),
  })
}

/** The names of the kinds in the order of their numbers. */
const rewardKinds = Object.keys(RewardKind)

function addRewards({ rows, texts, view }: RowContext, place: TxPlace): void {
  for (const { utxo, kind } of rewardsPaidBy(place, view)) {
    const { txID: stakerTxID } = place.tx.unsignedTx as { txID: ID }
    const staker = requireStaker(view, stakerTxID)
    const { amount, addresses } = innerOutput(utxo.output)
    rows.add(sqlTables.rewards, {
      tx_id: texts.id(utxo.txID),
      output_index: utxo.outputIndex,
      height: place.height,
      time: place.time,
      kind: rewardKinds[kind] as string,
      staker_tx_id: texts.id(stakerTxID),
      node_id: texts.node(staker.nodeID),
      subnet_id: texts.id(staker.subnetID),
      asset_id: texts.id(utxo.assetID),
      amount,
      addresses: addresses.map(texts.address),
    })
  }
}

/** Adds the terms of stakers that began within a range of blocks. */
export function addTerms({ view, rows, texts }: RowContext, { from, to }: PublishedRange): void {
  for (const [{ height, txID }, term] of view.rows(tables.stakingTerms, { from: { height: from } })) {
    if (height > to) return
    rows.add(sqlTables.staking_terms, {
      tx_id: texts.id(txID),
      height,
      start_time: term.startTime,
      end_time: term.endTime,
      weight: term.weight,
      restaked_validation_rewards: term.restaked?.validation ?? null,
      restaked_delegatee_rewards: term.restaked?.delegatee ?? null,
      potential_reward: term.potentialReward,
    })
  }
}

/** Adds the changes of a subnet's validator set within a range of blocks. */
export function addSetChanges({ view, rows, texts }: RowContext, subnetID: ID, range: PublishedRange): void {
  for (const [{ height, nodeID }, { decrease, amount }] of rowsOfList(view, tables.weightDiffs, { subnetID }, range)) {
    rows.add(sqlTables.validator_set_changes, {
      subnet_id: texts.id(subnetID),
      height,
      node_id: texts.node(nodeID),
      time: blockTime(view, height),
      weight_change: decrease ? -amount : amount,
    })
  }
}
