import type { StakerInfo } from "../../rules/context.js"
import type { Staker } from "../../state/staker.js"
import { restakedOf } from "../../state/stakingTerms.js"
import { type Restaked, TxStatus, tables } from "../../state/tables.js"
import type { PastReader, View } from "../../state/view.js"
import { stakerInfoOf } from "../../txs/execute.js"
import { decodeTx } from "../../txs/tx.js"
import type { TxKind } from "../../txs/unsignedTx.js"
import type { Address } from "../../types/address.js"
import type { ID } from "../../types/id.js"
import { innerOutput } from "../../types/output.js"
import type { TxEvent } from "../history.js"
import { addressesOf } from "../owners.js"
import type { Moment } from "../tables.js"
import { newestTxOf, type TxQuery, txsOfAddresses, txsOfSubject } from "./txQueries.js"

/** The kinds of transactions that lock a stake. */
export const stakingKinds = [
  "AddValidatorTx",
  "AddDelegatorTx",
  "AddPermissionlessValidatorTx",
  "AddPermissionlessDelegatorTx",
  "AddAutoRenewedValidatorTx",
] as const satisfies readonly TxKind[]

/** A stake of an address, present or past. Times in Unix seconds, amounts in the smallest unit of the staked asset. */
export interface StakeEvent extends TxEvent {
  readonly info: StakerInfo
  readonly state: "pending" | "active" | "ended" | "aborted"
  readonly startTime: bigint
  readonly endTime: bigint
  /** The possible reward at the end, while the staker is active. */
  readonly potentialReward: bigint | undefined
  /** What an auto-renewed validator has restaked so far, while it is active. */
  readonly restaked: Restaked | undefined
  /** The rewards paid so far, of both kinds. */
  readonly paidReward: bigint
  /** The transaction that ended the stake or its last cycle. */
  readonly rewardTxID: ID | undefined
}

/** A query for stakes, newest first: of all kinds if none are given. */
export interface StakeQuery extends TxQuery {
  readonly addresses: readonly Address[]
  /** Returns whether stakers that are added at a time (Unix seconds) start at once, as they do from Durango on. */
  startAtOnce(time: bigint): boolean
}

/** Returns the stakes whose outputs belong to any of these addresses, newest first, and the last transaction that was read if there may be more. */
export async function stakesOfAddresses(
  past: PastReader,
  { addresses, startAtOnce, kinds, ...query }: StakeQuery,
): Promise<{ readonly stakes: readonly StakeEvent[]; readonly next: Moment | undefined }> {
  const wanted = kinds.length === 0 ? stakingKinds : [...new Set(kinds)]
  const { events, next } = await txsOfAddresses(past, addresses, { kinds: wanted, ...query })
  return { stakes: await stakesOfTxs(past, events, startAtOnce, new Set(addresses)), next }
}

/** Returns the stakes that transactions locked; with addresses only those whose outputs belong to one of them. */
export async function stakesOfTxs(
  past: PastReader,
  txs: readonly TxEvent[],
  startAtOnce: StakeQuery["startAtOnce"],
  addresses?: ReadonlySet<Address>,
): Promise<StakeEvent[]> {
  const found = await past.each(txs, (view, tx) => stakeOf(view, tx, startAtOnce(tx.time)))
  const stakes: StakeEvent[] = []
  for (const stake of found) {
    if (addresses && !stakersOf(stake.info).some((owner) => addresses.has(owner))) continue
    const cycles = stake.kind === "AddAutoRenewedValidatorTx" ? await paidForCycles(past, stake.txID) : 0n
    stakes.push({ ...stake, paidReward: stake.paidReward + cycles })
  }
  return stakes
}

export const stakersOf = ({ stake }: StakerInfo): readonly Address[] => [...new Set(stake.flatMap(addressesOf))]

/** Returns a stake, with the rewards that are listed under its own transaction. */
function stakeOf(view: View, { txID, kind, height, index, time }: TxEvent, startsAtOnce: boolean): StakeEvent {
  const row = view.get(tables.txs, txID)
  const info = row && stakerInfoOf(decodeTx(row.bytes, {}).unsignedTx)
  if (!row || !info) throw new Error(`the transaction of staker ${txID} is missing`)
  const staker = presentStaker(view, txID, info)
  const ending = newestTxOf(view, txID, ["RewardValidatorTx", "RewardAutoRenewedValidatorTx"])
  return {
    ...{ txID, kind, height, index, time, info },
    state: row.status === TxStatus.aborted ? "aborted" : (staker?.state ?? "ended"),
    startTime: staker?.row.startTime ?? (startsAtOnce && height > 0n ? time : info.start),
    endTime: staker?.row.endTime ?? (info.end || (ending?.time ?? 0n)),
    potentialReward: staker?.state === "active" ? staker.row.potentialReward : undefined,
    restaked: staker?.state === "active" ? restakedOf(view, staker.row) : undefined,
    paidReward: rewardsUnder(view, txID),
    rewardTxID: ending?.txID,
  }
}

function presentStaker(view: View, txID: ID, info: StakerInfo): { state: "pending" | "active"; row: Staker } | undefined {
  const { subnetID, nodeID, role, start, end, currentPriority, pendingPriority } = info
  const current =
    role === "validator"
      ? view.get(tables.currentValidators, { subnetID, nodeID })
      : view.get(tables.currentDelegators, { subnetID, nodeID, nextTime: end, priority: currentPriority, txID })
  if (current?.txID === txID) return { state: "active", row: current }
  const pending =
    role === "validator"
      ? view.get(tables.pendingValidators, { subnetID, nodeID })
      : view.get(tables.pendingDelegators, { subnetID, nodeID, nextTime: start, priority: pendingPriority, txID })
  return pending?.txID === txID ? { state: "pending", row: pending } : undefined
}

/** The number of cycles of an auto-renewed validator whose rewards are read together. */
const CYCLES_AT_ONCE = 1000

async function paidForCycles(past: PastReader, txID: ID): Promise<bigint> {
  let paid = 0n
  for (let before: Moment | undefined; ; ) {
    const query = { kinds: ["RewardAutoRenewedValidatorTx"] as const, before, limit: CYCLES_AT_ONCE }
    const cycles = await txsOfSubject(past, txID, query)
    for (const reward of await past.each(cycles, (view, cycle) => rewardsUnder(view, cycle.txID))) paid += reward
    if (cycles.length < CYCLES_AT_ONCE) return paid
    before = cycles.at(-1)
  }
}

function rewardsUnder(view: View, txID: ID): bigint {
  let sum = 0n
  for (const [, { output }] of view.rows(tables.rewardUtxos, { under: { txID } })) sum += innerOutput(output).amount
  return sum
}
