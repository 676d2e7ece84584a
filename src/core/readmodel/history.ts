import { tables } from "../state/tables.js"
import type { PastReader, View } from "../state/view.js"
import { acceptedTx } from "../txs/execute.js"
import { txTypes } from "../txs/index.js"
import type { TxKind } from "../txs/unsignedTx.js"
import type { Address } from "../types/address.js"
import type { ID } from "../types/id.js"
import type { Utxo } from "../types/utxo.js"
import { blockTime } from "./blockTimes.js"
import { newestOf } from "./explorer/moments.js"
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
export async function rewardsOf(past: PastReader, { address, before, limit }: EventQuery): Promise<RewardEvent[]> {
  const owners = await past.read((view) => ownerKeysFor(view, address))
  const under = owners.map((owner) => ({ owner }))
  const entries = await newestOf(past, { table: readTables.rewardsByAddress, under, before, limit })
  return await past.each(entries, (view, { height, index, found }) => {
    const [[, row]] = found as [(typeof found)[number]]
    const utxo = view.get(tables.rewardUtxos, row)
    if (!utxo) throw new Error(`reward ${row.outputIndex} of ${row.txID} is missing`)
    const kind = rewardKinds[row.kind] as keyof typeof RewardKind
    return { height, index, time: blockTime(view, height), stakerTxID: stakerTxOf(view, row.txID), kind, utxo }
  })
}

/** Returns the staker's transaction of a reward: the one under which the reward is listed, or the one that the end of a cycle names. */
function stakerTxOf(view: View, listedUnder: ID): ID {
  const tx = acceptedTx(view, listedUnder)?.unsignedTx
  return tx?.kind === "RewardAutoRenewedValidatorTx" ? tx.txID : listedUnder
}
