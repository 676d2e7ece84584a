import { decode } from "../codec/decode.js"
import { mergeSorted } from "../lib/mergeSorted.js"
import type { OwnerKey } from "../state/ownerKey.js"
import { tables } from "../state/tables.js"
import type { IndexedView } from "../state/view.js"
import { valuesOf } from "../state/view.js"
import { ADDRESS_SIZE, type Address } from "../types/address.js"
import { type ID, P_CHAIN_ID } from "../types/id.js"
import { innerOutput } from "../types/output.js"
import { topLevelUtxo, type Utxo, utxoID } from "../types/utxo.js"
import { groupsOf } from "./ownerGroups.js"
import { addressesOf } from "./owners.js"

/** A position among the UTXOs of addresses: after one UTXO of one address. */
export interface UtxoPlace {
  readonly address: Address
  readonly utxoID: ID
}

export interface UtxoQuery {
  /** The addresses, each once, in ascending order. */
  readonly addresses: readonly Address[]
  /** The position after the last page. */
  readonly after?: UtxoPlace
  readonly limit: number
  /** The size after which a page ends, bytes. */
  readonly maxBytes?: number
  /** The chain from which they can be imported; by default the UTXOs of the P-Chain itself. */
  readonly sourceChain?: ID
}

/** Some UTXOs, and the position after the last one that was read. */
export interface UtxoPage {
  readonly utxos: readonly Utxo[]
  readonly end: Partial<UtxoPlace>
}

/**
 * Returns one page of the UTXOs that any of these addresses could spend, in the order of address and UTXO ID. A UTXO of several addresses
 * is listed under the first one, so that pages neither omit nor repeat a UTXO that exists throughout.
 */
export function utxoPage(
  view: IndexedView,
  { addresses, after, limit, maxBytes = Number.POSITIVE_INFINITY, sourceChain }: UtxoQuery,
): UtxoPage {
  const read = sourceChain === undefined ? ownUtxos(view) : waitingUtxos(view, sourceChain)
  const wanted = addresses.length > 1 ? new Set<Address>(addresses) : undefined
  const utxos: Utxo[] = []
  let bytes = 0
  let last: Utxo | undefined
  let end: Partial<UtxoPlace> = after ?? {}
  const page = (): UtxoPage => ({ utxos, end: last ? { ...end, utxoID: utxoID(last.txID, last.outputIndex) } : end })
  for (const address of addresses) {
    if (after && address < after.address) continue
    end = { ...end, address }
    for (const utxo of read(address, address === after?.address ? after.utxoID : undefined)) {
      last = utxo
      if (wanted && firstOf(utxo, wanted) !== address) continue
      utxos.push(utxo)
      bytes += sizeOf(utxo)
      if (utxos.length >= limit || bytes >= maxBytes) return page()
    }
  }
  return page()
}

/** Returns the size of a UTXO as it is exchanged, with its checksum, bytes. */
function sizeOf({ output }: Utxo): number {
  return 102 + (output.kind === "LockOut" ? 12 : 0) + ADDRESS_SIZE * innerOutput(output).addresses.length
}

/** Number of UTXOs that are read in one step, which takes about a millisecond. */
const READ_AT_ONCE = 500

/** Reads all UTXOs that any of these addresses (each once, ascending) could spend, in steps. */
export function* utxoPages(view: IndexedView, addresses: readonly Address[]): Iterable<readonly Utxo[]> {
  for (let after: Partial<UtxoPlace> = {}; ; ) {
    const page = utxoPage(view, { addresses, limit: READ_AT_ONCE, ...(isPlace(after) ? { after } : {}) })
    yield page.utxos
    if (page.utxos.length < READ_AT_ONCE) return
    after = page.end
  }
}

const isPlace = (place: Partial<UtxoPlace>): place is UtxoPlace => place.address !== undefined && place.utxoID !== undefined

/** Reads the UTXOs of an address in order, after one of them. */
type ReadUtxos = (address: Address, after: ID | undefined) => Iterable<Utxo>

const ownUtxos =
  (view: IndexedView): ReadUtxos =>
  (address, after) => {
    const groups = groupsOf(view, address)
    if (groups.length > 0) return ofGroups(view, [address, ...groups], after)
    return valuesOf(view.rows(tables.utxosByOwner, { under: { owner: address }, ...rangeAfter(after) }))
  }

const rangeAfter = (after: ID | undefined) => (after === undefined ? {} : { after: { utxoID: after } })

/** Returns the UTXOs that are listed under an address and under its groups, in the order of their IDs. */
function* ofGroups(view: IndexedView, owners: readonly OwnerKey[], after: ID | undefined): Iterable<Utxo> {
  const lists = owners.map((owner) => view.rows(tables.utxosByOwner, { under: { owner }, ...rangeAfter(after) }))
  for (const [, utxo] of mergeSorted(lists, ([a], [b]) => (a.utxoID < b.utxoID ? -1 : 1))) yield utxo
}

const waitingUtxos = (view: IndexedView, sender: ID): ReadUtxos =>
  function* (address, after) {
    const receiver = P_CHAIN_ID
    const range = { under: { receiver, sender, address }, ...rangeAfter(after) }
    for (const [{ utxoID }] of view.rows(tables.atomicByAddress, range)) {
      const row = view.get(tables.atomicUtxos, { receiver, sender, utxoID })
      if (!row) throw new Error(`an index names UTXO ${utxoID}, which is not there`)
      yield decode(topLevelUtxo, row.value)
    }
  }

/** Returns the first of a UTXO's owners, in ascending order, that was requested. Owners' addresses are sorted. */
function firstOf(utxo: Utxo, wanted: ReadonlySet<Address>): Address | undefined {
  return addressesOf(utxo).find((address) => wanted.has(address))
}
