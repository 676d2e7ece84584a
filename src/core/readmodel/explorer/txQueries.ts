import type { Work } from "../../lib/work.js"
import type { OwnerKey } from "../../state/ownerKey.js"
import type { View } from "../../state/view.js"
import { type TxKind, txTypeOf } from "../../txs/unsignedTx.js"
import type { Address } from "../../types/address.js"
import type { ID } from "../../types/id.js"
import { blockTime, kindOfTypeID, type TxEvent } from "../history.js"
import { ownerKeysFor } from "../ownerGroups.js"
import { type Moment, readTables } from "../tables.js"
import { type MomentRange, mergeNewest, rowsOfList } from "./moments.js"
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

/** Number of rows that are read in one step, which takes about a millisecond. */
const READ_AT_ONCE = 100

/** Some transactions, and the last of them if there may be more. */
export interface TxPage<T extends TxEvent> {
  readonly events: readonly T[]
  readonly next: Moment | undefined
}

/** The number of effects after which a page ends, because one transaction may move hundreds of assets. */
const MAX_EFFECTS = 20_000

/** Returns transactions that touched any of these addresses, newest first, each once. */
export function* txsOfAddresses(view: View, addresses: readonly Address[], query: TxQuery): Work<TxPage<AddressTxEvent>> {
  const keys = new Map<Address, readonly OwnerKey[]>(addresses.map((address) => [address, ownerKeysFor(view, address)]))
  const owners = [...new Set([...keys.values()].flat())]
  const lists = owners.flatMap((owner) => listsOfOwner(view, owner, query))
  const events: AddressTxEvent[] = []
  let effectCount = 0
  for (const { height, index, found } of mergeNewest(lists)) {
    const [{ owner }] = found as [OwnedMoment]
    const row = view.get(readTables.txsByAddress, { owner, height, index })
    if (!row) throw new Error(`transaction ${index} of block ${height} is missing under ${owner}`)
    const has = new Set(found.map((each) => each.owner))
    const effects = addresses.flatMap((address) => effectsOn(view, address, keys.get(address) ?? [], has, { height, index }))
    events.push({ height, index, time: blockTime(view, height), txID: row.txID, kind: kindOf(row.typeID), effects })
    effectCount += effects.length
    if (events.length >= query.limit || effectCount >= MAX_EFFECTS) return { events, next: { height, index } }
    if (events.length % READ_AT_ONCE === 0) yield
  }
  return { events, next: undefined }
}

interface OwnedMoment extends Moment {
  readonly owner: OwnerKey
}

function listsOfOwner(view: View, owner: OwnerKey, query: TxQuery): Iterable<OwnedMoment>[] {
  if (query.kinds.length === 0) return [ownedMoments(rowsOfList(view, readTables.txsByAddress, { owner }, query), owner)]
  return query.kinds.map((kind) =>
    ownedMoments(rowsOfList(view, explorerTables.txsByOwnerKind, { owner, typeID: typeIDOf(kind) }, query), owner),
  )
}

function* ownedMoments(rows: Iterable<readonly [Moment, unknown]>, owner: OwnerKey): Iterable<OwnedMoment> {
  for (const [{ height, index }] of rows) yield { height, index, owner }
}

/** The effects that are listed under the keys of an address, summed by asset. */
function effectsOn(
  view: View,
  address: Address,
  keys: readonly OwnerKey[],
  has: ReadonlySet<OwnerKey>,
  moment: Moment,
): AddressEffect[] {
  const sums = new Map<ID, AddressEffect>()
  for (const owner of keys) {
    if (!has.has(owner)) continue
    for (const { assetID, received, sent } of view.get(explorerTables.effects, { owner, ...moment }) ?? []) {
      const sum = sums.get(assetID) ?? { address, assetID, received: 0n, sent: 0n }
      sums.set(assetID, { ...sum, received: sum.received + received, sent: sum.sent + sent })
    }
  }
  return [...sums.values()]
}

/** Transactions about a subject (see `subjectsOf`), newest first. */
export function txsOfSubject(view: View, subject: ID, query: TxQuery): TxEvent[] {
  const { txsBySubject, txsBySubjectKind } = explorerTables
  const lists =
    query.kinds.length === 0
      ? [momentsOf(rowsOfList(view, txsBySubject, { subject }, query))]
      : query.kinds.map((kind) => momentsOf(rowsOfList(view, txsBySubjectKind, { subject, typeID: typeIDOf(kind) }, query)))
  return taken(mergeNewest(lists), query.limit).map(({ height, index }) => {
    const row = view.get(txsBySubject, { subject, height, index })
    if (!row) throw new Error(`transaction ${index} of block ${height} is missing under ${subject}`)
    return { height, index, time: blockTime(view, height), txID: row.txID, kind: kindOf(row.typeID) }
  })
}

/** Transactions of some kinds, newest first. */
export function txsOfKinds(view: View, query: TxQuery): TxEvent[] {
  const lists = query.kinds.map((kind) => ofKind(view, kind, query))
  return taken(mergeNewest(lists), query.limit).map(({ found, ...moment }) => {
    const [{ txID, kind }] = found as [KindMoment]
    return { ...moment, time: blockTime(view, moment.height), txID, kind }
  })
}

interface KindMoment extends Moment {
  readonly txID: ID
  readonly kind: TxKind
}

function* ofKind(view: View, kind: TxKind, query: TxQuery): Iterable<KindMoment> {
  for (const [{ height, index }, txID] of rowsOfList(view, explorerTables.txsByKind, { typeID: typeIDOf(kind) }, query)) {
    yield { height, index, txID, kind }
  }
}

function* momentsOf(rows: Iterable<readonly [Moment, unknown]>): Iterable<Moment> {
  for (const [{ height, index }] of rows) yield { height, index }
}

function taken<T>(entries: Iterable<T>, limit: number): T[] {
  const some: T[] = []
  for (const entry of entries) {
    some.push(entry)
    if (some.length >= limit) break
  }
  return some
}

function kindOf(typeID: number): TxKind {
  const kind = kindOfTypeID.get(typeID)
  if (!kind) throw new Error(`no kind of transaction has type ID ${typeID}`)
  return kind
}
