import { isActive } from "../../networks/upgrades.js"
import { blockTime } from "../../readmodel/blockTimes.js"
import { departureOf } from "../../readmodel/explorer/departures.js"
import { rowsOfList } from "../../readmodel/explorer/moments.js"
import { explorerTables } from "../../readmodel/explorer/tables.js"
import { rewardsPaidBy } from "../../readmodel/rewardsByAddress.js"
import { RewardKind, readTables } from "../../readmodel/tables.js"
import type { StakerInfo } from "../../rules/context.js"
import { tables } from "../../state/tables.js"
import { requireStaker, stakerInfoOf } from "../../txs/execute.js"
import type { ID } from "../../types/id.js"
import { innerOutput } from "../../types/output.js"
import type { OutputOwners } from "../../types/owners.js"
import type { PublishedRange, RowContext, TxPlace } from "../rowContext.js"
import { sqlTables } from "../tables.js"

/** Adds the staker that a transaction creates, the delegator that it ends, and the rewards that it pays. */
export function addStaking(context: RowContext, place: TxPlace): void {
  const info = place.isCommitted ? stakerInfoOf(place.tx.unsignedTx) : undefined
  if (info) addStaker(context, place, info)
  const { unsignedTx } = place.tx
  if (unsignedTx.kind !== "RewardValidatorTx" && unsignedTx.kind !== "RewardAutoRenewedValidatorTx") return
  const ended = requireStaker(context.view, unsignedTx.txID)
  if (ended.role === "delegator") {
    const reason = place.isCommitted ? "rewarded" : "unrewarded"
    addEnd(context, { ...place, stakerTxID: unsignedTx.txID, reason, endedBy: place.tx.id })
  }
  addRewards(context, place, unsignedTx.txID, ended)
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

interface StakerEnd {
  readonly stakerTxID: ID
  readonly height: bigint
  readonly time: bigint
  readonly reason: string
  readonly endedBy: ID | undefined
}

function addEnd({ rows, texts }: RowContext, { stakerTxID, height, time, reason, endedBy }: StakerEnd): void {
  rows.add(sqlTables.staker_ends, {
    tx_id: texts.id(stakerTxID),
    height,
    time,
    reason,
    ended_by: endedBy === undefined ? null : texts.id(endedBy),
  })
}

const rewardKinds: Readonly<Record<number, string>> = {
  [RewardKind.validation]: "validation",
  [RewardKind.delegation]: "delegation",
  [RewardKind.delegationFee]: "delegation_fee",
}

function addRewards({ rows, texts, view }: RowContext, place: TxPlace, stakerTxID: ID, staker: StakerInfo): void {
  for (const { utxo, kind } of rewardsPaidBy(place, view)) {
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
export function addTerms({ view, rows, texts }: RowContext, { from, to }: Pick<PublishedRange, "from" | "to">): void {
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

/** Adds the ends of the validators that left a subnet within a range of blocks. Validators of L1s have events instead. */
export function addDepartures(context: RowContext, subnetID: ID, range: PublishedRange): void {
  const { view } = context
  for (const [key, row] of rowsOfList(view, explorerTables.departures, { subnetID }, range)) {
    const { height, index, stakerID, reason } = departureOf(key, row)
    if (view.get(readTables.l1ValidatorTxs, stakerID)) continue
    // A validator that left at its end, without a transaction, has an index after those of all transactions.
    const endedBy = range.txs.get(height)?.[index]?.tx.id
    addEnd(context, { stakerTxID: stakerID, height, time: blockTime(view, height), reason, endedBy })
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
