import type { OwnerKey } from "../../state/ownerKey.js"
import type { PastReader, View } from "../../state/view.js"
import { txTypes } from "../../txs/index.js"
import { type TxKind, txTypeOf } from "../../txs/unsignedTx.js"
import type { Address } from "../../types/address.js"
import type { ID } from "../../types/id.js"
import { blockTime } from "../blockTimes.js"
import type { TxEvent } from "../history.js"
import { ownerKeysFor } from "../ownerGroups.js"
import { type Moment, readTables } from "../tables.js"
import { compareNewest, type MomentRange, newestOf, rowsOfList } from "./moments.js"
import { type Effect, explorerTables } from "./tables.js"

/** A query for transactions, newest first. */
export interface TxQuery extends MomentRange {
  /** The kinds to return; all if empty. */
  readonly kinds: readonly TxKind[]
  readonly limit: number
}

/** The amounts that a transaction took from an address and paid to it. */
export interface AddressEffect extends Effect {
  readonly address: Address
}

/** A transaction of one of several addresses. */
export interface AddressTxEvent extends TxEvent {
  readonly effects: readonly AddressEffect[]
}

const typeIDOf = (kind: TxKind): number => txTypeOf(kind).typeID

/** The number of effects after which a page ends, because one transaction may move hundreds of assets. */
const MAX_EFFECTS = 20_000

/** The number of transactions whose effects are read together. */
const READ_AT_ONCE = 512

/** Returns transactions that touched any of these addresses, newest first, each once, and the last of them if there may be more. */
export async function txsOfAddresses(
  past: PastReader,
  addresses: readonly Address[],
  query: TxQuery,
): Promise<{ readonly events: readonly AddressTxEvent[]; readonly next: Moment | undefined }> {
  const keysOf = await past.each(addresses, ownerKeysFor)
  const moments = await ownedMoments(past, [...new Set(keysOf.flat())], query)
  const events: AddressTxEvent[] = []
  let effectCount = 0
  for (let i = 0; i < moments.length; i += READ_AT_ONCE) {
    const some = moments.slice(i, i + READ_AT_ONCE)
    const txs = await past.each(some, txAt)
    const listed = some.flatMap(({ height, index, owners }) => owners.map((owner) => ({ owner, height, index })))
    const rows = await past.each(listed, (view, key) => view.get(explorerTables.effects, key) ?? [])
    const effectsOf = new Map(listed.map((key, at) => [keyOf(key.owner, key), rows[at] as readonly Effect[]]))
    for (const tx of txs) {
      const listedUnder = (owner: OwnerKey) => effectsOf.get(keyOf(owner, tx)) ?? []
      const effects = addresses.flatMap((address, at) => effectsOn(address, (keysOf[at] ?? []).flatMap(listedUnder)))
      events.push({ ...tx, effects })
      effectCount += effects.length
      if (events.length >= query.limit || effectCount >= MAX_EFFECTS) return { events, next: tx }
    }
  }
  return { events, next: undefined }
}

const keyOf = (owner: OwnerKey, { height, index }: Moment): string => `${owner} ${height} ${index}`

interface OwnedMoment extends Moment {
  /** The owners whose lists have it. */
  readonly owners: readonly OwnerKey[]
}

async function ownedMoments(past: PastReader, owners: readonly OwnerKey[], { kinds, ...query }: TxQuery): Promise<OwnedMoment[]> {
  const byOwner = { table: readTables.txsByAddress, under: owners.map((owner) => ({ owner })), ...query }
  const byKind = {
    table: explorerTables.txsByOwnerKind,
    under: owners.flatMap((owner) => kinds.map((kind) => ({ owner, typeID: typeIDOf(kind) }))),
    ...query,
  }
  const entries = kinds.length === 0 ? await newestOf(past, byOwner) : await newestOf(past, byKind)
  return entries.map(({ height, index, found }) => ({ height, index, owners: found.map(([{ owner }]) => owner) }))
}

function txAt(view: View, { height, index, owners }: OwnedMoment): TxEvent {
  const [owner] = owners as [OwnerKey]
  const row = view.get(readTables.txsByAddress, { owner, height, index })
  if (!row) throw new Error(`transaction ${index} of block ${height} is missing under ${owner}`)
  return eventOf(view, { height, index }, row)
}

/** Sums the effects of a transaction on an address by asset. */
function effectsOn(address: Address, effects: readonly Effect[]): AddressEffect[] {
  const sums = new Map<ID, AddressEffect>()
  for (const { assetID, received, sent } of effects) {
    const sum = sums.get(assetID) ?? { address, assetID, received: 0n, sent: 0n }
    sums.set(assetID, { ...sum, received: sum.received + received, sent: sum.sent + sent })
  }
  return [...sums.values()]
}

/** Returns transactions about a subject (see `subjectsOf`), newest first. */
export async function txsOfSubject(past: PastReader, subject: ID, { kinds, ...query }: TxQuery): Promise<TxEvent[]> {
  const { txsBySubject, txsBySubjectKind } = explorerTables
  const underKinds = kinds.map((kind) => ({ subject, typeID: typeIDOf(kind) }))
  const moments: readonly Moment[] =
    kinds.length === 0
      ? await newestOf(past, { table: txsBySubject, under: [{ subject }], ...query })
      : await newestOf(past, { table: txsBySubjectKind, under: underKinds, ...query })
  return await past.each(moments, (view, moment) => txOfSubject(view, subject, moment))
}

function txOfSubject(view: View, subject: ID, { height, index }: Moment): TxEvent {
  const row = view.get(explorerTables.txsBySubject, { subject, height, index })
  if (!row) throw new Error(`transaction ${index} of block ${height} is missing under ${subject}`)
  return eventOf(view, { height, index }, row)
}

/** Returns the newest transaction of some kinds about a subject. */
export function newestTxOf(view: View, subject: ID, kinds: readonly TxKind[]): TxEvent | undefined {
  let newest: Moment | undefined
  for (const kind of kinds) {
    for (const [moment] of rowsOfList(view, explorerTables.txsBySubjectKind, { subject, typeID: typeIDOf(kind) }, {})) {
      if (!newest || compareNewest(moment, newest) < 0) newest = moment
      break
    }
  }
  return newest && txOfSubject(view, subject, newest)
}

/** Returns transactions of some kinds, newest first. */
export async function txsOfKinds(past: PastReader, { kinds, ...query }: TxQuery): Promise<TxEvent[]> {
  const under = kinds.map((kind) => ({ typeID: typeIDOf(kind) }))
  const entries = await newestOf(past, { table: explorerTables.txsByKind, under, ...query })
  return await past.each(entries, (view, entry) => {
    const [[{ typeID }, txID]] = entry.found as [(typeof entry.found)[number]]
    return eventOf(view, entry, { txID, typeID })
  })
}

const kindsByTypeID: ReadonlyMap<number, TxKind> = new Map(txTypes.map(({ typeID, kind }) => [typeID, kind]))

function eventOf(view: View, { height, index }: Moment, { txID, typeID }: { txID: ID; typeID: number }): TxEvent {
  const kind = kindsByTypeID.get(typeID)
  if (!kind) throw new Error(`no kind of transaction has type ID ${typeID}`)
  return { height, index, time: blockTime(view, height), txID, kind }
}
