import { RewardKind } from "../state/facts.js"
import { tables } from "../state/tables.js"
import type { PastReader, View } from "../state/view.js"
import { acceptedTx, requireStaker } from "../txs/execute.js"
import type { TxKind } from "../txs/unsignedTx.js"
import type { Address } from "../types/address.js"
import type { ID, NodeID } from "../types/id.js"
import type { Utxo } from "../types/utxo.js"
import { blockTime } from "./blockTimes.js"
import { type MomentRange, newestOf } from "./explorer/moments.js"
import { historyGap } from "./historyGap.js"
import { ownerKeysFor, ownersOf } from "./ownerGroups.js"
import { type Moment, readTables } from "./tables.js"

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
  /** The node that validated, or was delegated to. */
  readonly nodeID: NodeID
  readonly kind: keyof typeof RewardKind
  readonly utxo: Utxo
}

/** A query for rewards of some addresses: all kinds if none are given. */
export interface RewardQuery extends MomentRange {
  readonly addresses: readonly Address[]
  readonly kinds: readonly RewardEvent["kind"][]
  readonly limit: number
}

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

/** Returns the rewards that were paid to any of these addresses, newest first, and the last one that was read if there may be more. */
export async function rewardsOf(
  past: PastReader,
  { addresses, kinds, ...query }: RewardQuery,
): Promise<{ readonly events: readonly RewardEvent[]; readonly next: Moment | undefined }> {
  const under = (await ownersOf(past, addresses)).map((owner) => ({ owner }))
  const entries = await newestOf(past, { table: readTables.rewardsByAddress, under, ...query })
  const listed = entries.map(({ height, index, found }) => {
    const [[, row]] = found as [(typeof found)[number]]
    return { height, index, ...row, kind: rewardKinds[row.kind] as RewardEvent["kind"] }
  })
  const wanted = kinds.length === 0 ? listed : listed.filter(({ kind }) => kinds.includes(kind))
  const events = await past.each(wanted, (view, { height, index, kind, ...place }) => {
    const utxo = view.get(tables.rewardUtxos, place)
    if (!utxo) throw new Error(`reward ${place.outputIndex} of ${place.txID} is missing`)
    const stakerTxID = stakerTxOf(view, place.txID)
    const { nodeID } = requireStaker(view, stakerTxID)
    return { height, index, time: blockTime(view, height), stakerTxID, nodeID, kind, utxo }
  })
  return { events, next: entries.length < query.limit ? undefined : entries.at(-1) }
}

/** Returns the staker's transaction of a reward: the one under which the reward is listed, or the one that the end of a cycle names. */
function stakerTxOf(view: View, listedUnder: ID): ID {
  const tx = acceptedTx(view, listedUnder)?.unsignedTx
  return tx?.kind === "RewardAutoRenewedValidatorTx" ? tx.txID : listedUnder
}
