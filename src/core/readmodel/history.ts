import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { acceptedTx } from "../txs/execute.js"
import { txTypes } from "../txs/index.js"
import type { TxKind } from "../txs/unsignedTx.js"
import type { Address } from "../types/address.js"
import type { ID } from "../types/id.js"
import type { Utxo } from "../types/utxo.js"
import { type Moment, RewardKind, readTables } from "./tables.js"

/** Something that happened, and when: height, and Unix seconds. */
export interface Event extends Moment {
  readonly time: bigint
}

export interface TxEvent extends Event {
  readonly txID: ID
  readonly kind: TxKind
}

export interface RewardEvent extends Event {
  readonly stakerTxID: ID
  readonly kind: keyof typeof RewardKind
  readonly utxo: Utxo
}

/** Which events of an address are wanted: the newest, or those before one. */
export interface EventQuery {
  readonly address: Address
  readonly before?: Moment
  readonly limit: number
}

const kindOfTypeID = new Map<number, TxKind>(txTypes.map(({ typeID, kind }) => [typeID, kind]))
const rewardKinds = Object.keys(RewardKind) as (keyof typeof RewardKind)[]

/** The chain's time after a block, Unix seconds. */
export function blockTime(view: View, height: bigint): bigint {
  const time = view.get(readTables.blockTimes, height)
  if (time === undefined) throw new Error(`the time of block ${height} is missing`)
  return time
}

/** Transactions that took from an address or gave to it, newest first. */
export function txsOf(view: View, query: EventQuery): TxEvent[] {
  return eventsOf(view, readTables.txsByAddress, query).map(({ row, ...event }) => {
    const kind = kindOfTypeID.get(row.typeID)
    if (!kind) throw new Error(`no kind of transaction has type ID ${row.typeID}`)
    return { ...event, txID: row.txID, kind }
  })
}

/** The last block in which something was taken from an address or given to it: until the next one its UTXOs and stakes are the same. */
export function lastBlockOf(view: View, address: Address): ID | undefined {
  for (const [{ height }] of view.rows(readTables.txsByAddress, { prefix: address })) return view.get(tables.blockIDs, height)
  return undefined
}

/** Rewards paid to an address, newest first. */
export function rewardsOf(view: View, query: EventQuery): RewardEvent[] {
  return eventsOf(view, readTables.rewardsByAddress, query).map(({ row, ...event }) => {
    const utxo = view.get(tables.rewardUtxos, row)
    if (!utxo) throw new Error(`reward ${row.outputIndex} of ${row.txID} is missing`)
    return { ...event, stakerTxID: stakerTxOf(view, row.txID), kind: rewardKinds[row.kind] as keyof typeof RewardKind, utxo }
  })
}

/** The staker's transaction of a reward: the one that the reward is listed under, or the one that ended a cycle names. */
function stakerTxOf(view: View, listedUnder: ID): ID {
  const tx = acceptedTx(view, listedUnder)?.unsignedTx
  return tx?.kind === "RewardAutoRenewedValidatorTx" ? tx.txID : listedUnder
}

type EventTable = typeof readTables.txsByAddress | typeof readTables.rewardsByAddress
type RowOf<T> = T extends { readonly value: { read(r: never): infer V } } ? V : never

function eventsOf<T extends EventTable>(
  view: View,
  table: T,
  { address, before, limit }: EventQuery,
): (Event & { row: RowOf<T> })[] {
  const range = before ? { prefix: address, from: table.key.toText({ address, ...before }) } : { prefix: address }
  const events: (Event & { row: RowOf<T> })[] = []
  for (const [{ height, index }, row] of view.rows<{ height: bigint; index: number }, RowOf<T>>(table as never, range)) {
    if (events.length >= limit) break
    if (before && height === before.height && index === before.index) continue
    events.push({ height, index, time: blockTime(view, height), row })
  }
  return events
}
