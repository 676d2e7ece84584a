import { decode } from "../codec/decode.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { Address } from "../types/address.js"
import { type ID, P_CHAIN_ID } from "../types/id.js"
import { topLevelUtxo } from "../types/utxo.js"
import { addressesIn, type UtxoText, utxoTextOf } from "../types/utxoText.js"

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
  readonly utxos: readonly FoundUtxo[]
  readonly end: Partial<UtxoPlace>
}

export type FoundUtxo = readonly [{ readonly utxoID: ID }, UtxoText]

/**
 * One page of the UTXOs that any of these addresses could spend, in the order of address and UTXO ID. A UTXO of several of them stands
 * under the first, so that pages neither lose nor repeat one that is there all the while.
 */
export function utxoPage(view: View, { addresses, after, limit, sourceChain }: UtxoQuery): UtxoPage {
  const read = sourceChain === undefined ? ownUtxos(view) : waitingUtxos(view, sourceChain)
  const wanted = addresses.length > 1 ? new Set<Address>(addresses) : undefined
  const utxos: FoundUtxo[] = []
  let end: Partial<UtxoPlace> = after ?? {}
  for (const address of addresses) {
    if (after && address < after.address) continue
    const last = address === after?.address ? after.utxoID : undefined
    end = { ...end, address }
    for (const found of read(address, last)) {
      const [{ utxoID }, text] = found
      if (utxoID === last) continue
      end = { address, utxoID }
      if (wanted && firstOf(text, wanted) !== address) continue
      utxos.push(found)
      if (utxos.length >= limit) return { utxos, end }
    }
  }
  return { utxos, end }
}

/** All UTXOs that any of these addresses (each once, ascending) could spend. */
export function utxosOf(view: View, addresses: readonly Address[]): readonly UtxoText[] {
  return utxoPage(view, { addresses, limit: Number.POSITIVE_INFINITY }).utxos.map(([, text]) => text)
}

/** Reads the UTXOs of an address in order, from one on. */
type ReadUtxos = (address: Address, from: ID | undefined) => Iterable<FoundUtxo>

const ownUtxos =
  (view: View): ReadUtxos =>
  (address, from) =>
    view.rows(tables.ownedUtxos, rangeOf(address, from))

const waitingUtxos = (view: View, sender: ID): ReadUtxos =>
  function* (address, from) {
    const receiver = P_CHAIN_ID
    for (const [{ utxoID }] of view.rows(tables.atomicByAddress, rangeOf(receiver + sender + address, from))) {
      const { value } = required(view.get(tables.atomicUtxos, { receiver, sender, utxoID }), utxoID)
      yield [{ utxoID }, utxoTextOf(decode(topLevelUtxo, value))]
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
