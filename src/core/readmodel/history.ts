import type { OwnerKey } from "../state/ownerKey.js"
import type { Table } from "../state/table.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { acceptedTx } from "../txs/execute.js"
import { txTypes } from "../txs/index.js"
import type { TxKind } from "../txs/unsignedTx.js"
import type { Address } from "../types/address.js"
import type { ID } from "../types/id.js"
import type { Utxo } from "../types/utxo.js"
import { historyGap } from "./historyGap.js"
import { ownerKeysFor } from "./ownerGroups.js"
import { type Moment, RewardKind, readTables } from "./tables.js"

/** An event with its height and time (Unix seconds). */
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

/** A query for events of an address: the newest, or those before one. */
export interface EventQuery {
  readonly address: Address
  readonly before?: Moment
  readonly limit: number
}

/** The kind of each type ID. */
export const kindOfTypeID: ReadonlyMap<number, TxKind> = new Map(txTypes.map(({ typeID, kind }) => [typeID, kind]))
const rewardKinds = Object.keys(RewardKind) as (keyof typeof RewardKind)[]

/** Returns the chain's time after a block, Unix seconds. */
export function blockTime(view: View, height: bigint): bigint {
  const time = view.get(readTables.blockTimes, height)
  if (time === undefined) throw new Error(`the time of block ${height} is missing`)
  return time
}

/**
 * Returns the last block that touched an address, or the last accepted one if the history has a gap. Until the next one its UTXOs and stakes
 * are the same.
 */
export function lastBlockOf(view: View, address: Address): ID | undefined {
  if (historyGap(view)) return view.get(tables.lastAccepted, null)?.id
  let last: bigint | undefined
  for (const owner of ownerKeysFor(view, address)) {
    for (const [{ height }] of view.rows(readTables.txsByAddress, { under: { owner } })) {
      if (last === undefined || height > last) last = height
      break
    }
  }
  return last === undefined ? undefined : view.get(tables.blockIDs, last)
}

/** Returns the rewards that were paid to an address, newest first. */
export function rewardsOf(view: View, query: EventQuery): RewardEvent[] {
  return eventsOf(view, readTables.rewardsByAddress, query).map(({ row, ...event }) => {
    const utxo = view.get(tables.rewardUtxos, row)
    if (!utxo) throw new Error(`reward ${row.outputIndex} of ${row.txID} is missing`)
    return { ...event, stakerTxID: stakerTxOf(view, row.txID), kind: rewardKinds[row.kind] as keyof typeof RewardKind, utxo }
  })
}

/** Returns the staker's transaction of a reward: the one under which the reward is listed, or the one that the end of a cycle names. */
function stakerTxOf(view: View, listedUnder: ID): ID {
  const tx = acceptedTx(view, listedUnder)?.unsignedTx
  return tx?.kind === "RewardAutoRenewedValidatorTx" ? tx.txID : listedUnder
}

/** A table of the events of owners, newest first. */
type EventTable<V> = Table<{ readonly owner: OwnerKey } & Moment, V>

function eventsOf<V>(view: View, table: EventTable<V>, query: EventQuery): (Event & { row: V })[] {
  const found = new Map<string, Moment & { readonly row: V }>()
  for (const owner of ownerKeysFor(view, query.address)) {
    // An event that is listed under an address and under one of its groups counts once.
    for (const event of eventsUnder(view, table, owner, query)) found.set(`${event.height} ${event.index}`, event)
  }
  const newest = [...found.values()].sort(byMoment).slice(0, query.limit)
  return newest.map((event) => ({ ...event, time: blockTime(view, event.height) }))
}

/** Returns the first events of a page that are listed under one key. */
function* eventsUnder<V>(view: View, table: EventTable<V>, owner: OwnerKey, { before, limit }: EventQuery) {
  let left = limit
  for (const [{ height, index }, row] of view.rows(table, { under: { owner }, ...(before ? { after: before } : {}) })) {
    if (left-- <= 0) return
    yield { height, index, row }
  }
}

/** Sorts newest first. */
function byMoment(a: Moment, b: Moment): number {
  return a.height === b.height ? b.index - a.index : a.height > b.height ? -1 : 1
}
