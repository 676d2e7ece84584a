import { decode } from "../codec/decode.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { Address } from "../types/address.js"
import { type ID, P_CHAIN_ID } from "../types/id.js"
import { topLevelUtxo } from "../types/utxo.js"
import { addressesIn, type UtxoText, utxoIDIn, utxoTextOf } from "../types/utxoText.js"

/** A place among the UTXOs of addresses: behind one UTXO of one address. */
export interface UtxoPlace {
  readonly address: Address
  readonly utxoID: ID
}

/** Which UTXOs are wanted. */
export interface UtxoQuery {
  /** Each once, in ascending order. */
  readonly addresses: readonly Address[]
  /** Where the last page ended. */
  readonly after?: UtxoPlace
  readonly limit: number
  /** The chain that they wait from; those of the P-Chain itself if left out. */
  readonly sourceChain?: ID
}

/** Some UTXOs, and the place behind the last one that was looked at. */
export interface UtxoPage {
  readonly utxos: readonly UtxoText[]
  readonly end: Partial<UtxoPlace>
}

/**
 * One page of the UTXOs that any of these addresses could spend, in the order of address and UTXO ID. A UTXO of several of them stands
 * under the first, so that pages neither lose nor repeat one that is there all the while.
 */
export function utxoPage(view: View, { addresses, after, limit, sourceChain }: UtxoQuery): UtxoPage {
  const read = sourceChain === undefined ? ownUtxos(view) : waitingUtxos(view, sourceChain)
  const wanted = addresses.length > 1 ? new Set<Address>(addresses) : undefined
  const utxos: UtxoText[] = []
  const pageTo = (end: Partial<UtxoPlace>, last: UtxoText | undefined) => ({
    utxos,
    end: last === undefined ? end : { ...end, utxoID: utxoIDIn(last) },
  })
  let last: UtxoText | undefined
  let end: Partial<UtxoPlace> = after ?? {}
  for (const address of addresses) {
    if (after && address < after.address) continue
    end = { ...end, address }
    for (const text of read(address, address === after?.address ? after.utxoID : undefined)) {
      last = text
      if (wanted && firstOf(text, wanted) !== address) continue
      utxos.push(text)
      if (utxos.length >= limit) return pageTo(end, last)
    }
  }
  return pageTo(end, last)
}

/** All UTXOs that any of these addresses (each once, ascending) could spend. */
export function utxosOf(view: View, addresses: readonly Address[]): readonly UtxoText[] {
  return utxoPage(view, { addresses, limit: Number.POSITIVE_INFINITY }).utxos
}

/** Reads the UTXOs of an address in order, behind one of them. */
type ReadUtxos = (address: Address, after: ID | undefined) => Iterable<UtxoText>

const ownUtxos =
  (view: View): ReadUtxos =>
  (address, after) => {
    const texts = view.values(tables.ownedUtxos, rangeOf(address, after))
    return after === undefined ? texts : behind(texts, after)
  }

function* behind(texts: Iterable<UtxoText>, after: ID): Iterable<UtxoText> {
  let isFirst = true
  for (const text of texts) {
    if (!isFirst || utxoIDIn(text) !== after) yield text
    isFirst = false
  }
}

const waitingUtxos = (view: View, sender: ID): ReadUtxos =>
  function* (address, after) {
    const receiver = P_CHAIN_ID
    for (const [{ utxoID }] of view.rows(tables.atomicByAddress, rangeOf(receiver + sender + address, after))) {
      if (utxoID === after) continue
      const { value } = required(view.get(tables.atomicUtxos, { receiver, sender, utxoID }), utxoID)
      yield utxoTextOf(decode(topLevelUtxo, value))
    }
  }

function rangeOf(prefix: string, from: ID | undefined) {
  return from === undefined ? { prefix } : { prefix, from: prefix + from }
}

function required<T>(row: T | undefined, utxoID: ID): T {
  if (row === undefined) throw new Error(`an index names UTXO ${utxoID}, which is not there`)
  return row
}

/** The first of a UTXO's owners, in ascending order, that was asked for. Owners' addresses are sorted. */
function firstOf(text: UtxoText, wanted: ReadonlySet<Address>): Address | undefined {
  return addressesIn(text).find((address) => wanted.has(address))
}
