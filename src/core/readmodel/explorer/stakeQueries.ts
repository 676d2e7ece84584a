import type { Work } from "../../lib/work.js"
import type { StakerInfo } from "../../rules/context.js"
import type { Staker } from "../../state/staker.js"
import { TxStatus, tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import { stakerInfoOf } from "../../txs/execute.js"
import { decodeTx } from "../../txs/tx.js"
import type { TxKind } from "../../txs/unsignedTx.js"
import type { Address } from "../../types/address.js"
import type { ID, NodeID } from "../../types/id.js"
import { innerOutput } from "../../types/output.js"
import type { TxEvent } from "../history.js"
import { addressesOf } from "../owners.js"
import type { Moment } from "../tables.js"
import { rowsOfList } from "./moments.js"
import { DepartureReason, explorerTables } from "./tables.js"
import { txsOfAddresses, txsOfSubject } from "./txQueries.js"

/** The kinds of transactions that lock a stake. */
const stakingKinds: readonly TxKind[] = [
  "AddValidatorTx",
  "AddDelegatorTx",
  "AddPermissionlessValidatorTx",
  "AddPermissionlessDelegatorTx",
  "AddAutoRenewedValidatorTx",
]

/** A stake of an address, present or past. Times in Unix seconds, amounts in the smallest unit of the staked asset. */
export interface StakeEvent extends TxEvent {
  readonly info: StakerInfo
  readonly state: "pending" | "active" | "ended" | "aborted"
  readonly startTime: bigint
  readonly endTime: bigint
  /** The possible reward at the end, while the staker is active. */
  readonly potentialReward: bigint | undefined
  /** The rewards paid so far, of both kinds. */
  readonly paidReward: bigint
  /** The transaction that ended the stake or its last cycle. */
  readonly rewardTxID: ID | undefined
}

/** Some stakes, and the last transaction that was read if there may be more. */
export interface StakePage {
  readonly stakes: readonly StakeEvent[]
  readonly next: Moment | undefined
}

/** A query for stakes, newest first. */
export interface StakeQuery {
  readonly address: Address
  readonly before?: Moment | undefined
  readonly limit: number
  /** Returns whether stakers that are added at a time (Unix seconds) start at once, as they do from Durango on. */
  startAtOnce(time: bigint): boolean
}

/** Returns the stakes whose outputs belong to an address, newest first. */
export function* stakesOfAddress(view: View, query: StakeQuery): Work<StakePage> {
  const { address, before, limit } = query
  const { events, next } = yield* txsOfAddresses(view, [address], { kinds: stakingKinds, before, limit })
  const stakes: StakeEvent[] = []
  for (const event of events) {
    const stake = yield* stakeOf(view, event, query.startAtOnce(event.time))
    if (ownersOf(stake.info).has(address)) stakes.push(stake)
    yield
  }
  return { stakes, next }
}

const ownersOf = ({ stake }: StakerInfo): ReadonlySet<Address> => new Set(stake.flatMap(addressesOf))

function* stakeOf(view: View, { txID, kind, height, index, time }: TxEvent, startsAtOnce: boolean): Work<StakeEvent> {
  const row = view.get(tables.txs, txID)
  const info = row && stakerInfoOf(decodeTx(row.bytes, {}).unsignedTx)
  if (!row || !info) throw new Error(`the transaction of staker ${txID} is missing`)
  const staker = presentStaker(view, txID, info)
  const [ending] = txsOfSubject(view, txID, { kinds: ["RewardValidatorTx", "RewardAutoRenewedValidatorTx"], limit: 1 })
  return {
    ...{ txID, kind, height, index, time, info },
    state: row.status === TxStatus.aborted ? "aborted" : (staker?.state ?? "ended"),
    startTime: staker?.row.startTime ?? (startsAtOnce && height > 0n ? time : info.start),
    endTime: staker?.row.endTime ?? (info.end || (ending?.time ?? 0n)),
    potentialReward: staker?.row.potentialReward,
    paidReward: yield* paidFor(view, txID),
    rewardTxID: ending?.txID,
  }
}

/** Returns the row of a present staker. */
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

/** The number of cycles of an auto-renewed validator whose rewards are summed in one step. */
const CYCLES_AT_ONCE = 100

function* paidFor(view: View, txID: ID): Work<bigint> {
  let paid = rewardsUnder(view, txID)
  for (let before: Moment | undefined; ; ) {
    const cycles = txsOfSubject(view, txID, { kinds: ["RewardAutoRenewedValidatorTx"], before, limit: CYCLES_AT_ONCE })
    for (const cycle of cycles) paid += rewardsUnder(view, cycle.txID)
    if (cycles.length < CYCLES_AT_ONCE) return paid
    before = cycles.at(-1)
    yield
  }
}

function rewardsUnder(view: View, txID: ID): bigint {
  let sum = 0n
  for (const [, { output }] of view.rows(tables.rewardUtxos, { under: { txID } })) sum += innerOutput(output).amount
  return sum
}

/** A validator that left a subnet. */
export interface Departure extends Moment {
  readonly nodeID: NodeID
  /** The transaction that added the validator, or the validation ID of an L1 validator. */
  readonly stakerID: ID
  readonly reason: keyof typeof DepartureReason
}

const reasons = Object.keys(DepartureReason) as (keyof typeof DepartureReason)[]

/** Returns the validators that left a subnet, the last one first. */
export function departuresOf(view: View, subnetID: ID, before: Moment | undefined, limit: number): Departure[] {
  const found: Departure[] = []
  for (const [{ height, index }, row] of rowsOfList(view, explorerTables.departures, { subnetID }, { before })) {
    found.push({ height, index, ...row, reason: reasons[row.reason] as keyof typeof DepartureReason })
    if (found.length >= limit) break
  }
  return found
}
