import type { OwnerKey } from "../../state/ownerKey.js"
import { tables } from "../../state/tables.js"
import { firstOf, type PastReader, type View } from "../../state/view.js"
import { acceptedTx } from "../../txs/execute.js"
import type { Address } from "../../types/address.js"
import type { ID } from "../../types/id.js"
import { type Utxo, utxoID } from "../../types/utxo.js"
import { ownerKeysFor, ownersOf } from "../ownerGroups.js"
import { outputOf } from "../owners.js"
import { explorerTables } from "./tables.js"

/** The sum and the number of the UTXOs of an address of one asset. */
export interface PastBalance {
  readonly address: Address
  readonly assetID: ID
  readonly amount: bigint
  readonly count: bigint
}

/** Returns the spendable balances of each address after the block of a height, by asset. */
export async function balancesAt(past: PastReader, addresses: readonly Address[], height: bigint): Promise<PastBalance[]> {
  const keysOf = await past.each(addresses, ownerKeysFor)
  const listed = addresses.flatMap((address, i) => (keysOf[i] ?? []).map((owner) => ({ address, owner })))
  const balances = await past.each(listed, (view, { owner }) => [...balancesOfOwner(view, owner, height)])
  const sums = new Map<string, PastBalance>()
  for (const [i, { address }] of listed.entries()) {
    for (const { assetID, amount, count } of balances[i] ?? []) {
      const sum = sums.get(address + assetID) ?? { address, assetID, amount: 0n, count: 0n }
      sums.set(address + assetID, { ...sum, amount: sum.amount + amount, count: sum.count + count })
    }
  }
  return [...sums.values()].filter(({ count }) => count > 0n)
}

/** Seeks from asset to asset, so that rows of other heights are not read. */
function* balancesOfOwner(view: View, owner: OwnerKey, height: bigint): Iterable<Omit<PastBalance, "address">> {
  const table = explorerTables.pastBalances
  for (let last: ID | undefined; ; ) {
    const range = last === undefined ? {} : { after: { assetID: last } }
    const assetID: ID | undefined = firstOf(view.rows(table, { under: { owner }, ...range }))?.[0].assetID
    if (assetID === undefined) return
    const found = firstOf(view.rows(table, { under: { owner, assetID }, from: { height } }))
    if (found) yield { assetID, ...found[1] }
    last = assetID
  }
}

/** A position in the list of an owner's outputs: after this one. */
export interface OutputPlace {
  readonly height: bigint
  readonly txID: ID
  readonly outputIndex: number
}

export interface PastUtxoQuery {
  readonly addresses: readonly Address[]
  readonly height: bigint
  readonly after?: OutputPlace | undefined
  readonly limit: number
}

/** The maximum number of outputs that one page reads. For an address that has spent many, older ones are skipped over several pages. */
const LOOK_AT_MOST = 10_000

/** The number of outputs that are read together. */
const [READ_AT_LEAST, READ_AT_ONCE] = [100, 1000]

/**
 * Returns UTXOs that any of these addresses could spend after the block of a height, the last created first, and the position of the next
 * page; `undefined` after the last page.
 */
export async function utxosAt(past: PastReader, query: PastUtxoQuery) {
  const { places, next } = await unspentAt(past, query)
  return { utxos: await past.each(places, requireOutput), next }
}

async function unspentAt(past: PastReader, { addresses, height, after, limit }: PastUtxoQuery) {
  const owners = await ownersOf(past, addresses)
  // The number of UTXOs, or a larger one if addresses share some, is known with the first page, so older outputs are all spent.
  const balances = after ? [] : await balancesAt(past, addresses, height)
  const count = after ? undefined : balances.reduce((sum, each) => sum + each.count, 0n)
  const places: OutputPlace[] = []
  for (let [looked, last] = [0, after]; ; ) {
    const wanted = Math.min(Math.max(2 * (limit - places.length), READ_AT_LEAST), READ_AT_ONCE, LOOK_AT_MOST - looked)
    const found = await outputsUnder(past, owners, last ? { after: last } : { from: { height, ...LAST_OUTPUT } }, wanted)
    const unspent = await past.each(found, (view, place) => isUnspent(view, place, height))
    for (const [i, place] of found.entries()) {
      if (unspent[i]) places.push(place)
      if (places.length >= limit || ++looked >= LOOK_AT_MOST) return { places, next: place }
      if (count === BigInt(places.length)) return { places, next: undefined }
    }
    if (found.length < wanted) return { places, next: undefined }
    last = found.at(-1)
  }
}

const LAST_OUTPUT = { txID: "00".repeat(32) as ID, outputIndex: 0 }

function isUnspent(view: View, { txID, outputIndex }: OutputPlace, height: bigint): boolean {
  const spender = view.get(explorerTables.spenders, utxoID(txID, outputIndex))
  return !spender || spender.height > height
}

/** Returns the first outputs under some keys, the last created first, from a position on. */
async function outputsUnder(
  past: PastReader,
  owners: readonly OwnerKey[],
  start: { readonly after?: OutputPlace; readonly from?: OutputPlace },
  limit: number,
): Promise<OutputPlace[]> {
  const ranges = owners.map((owner) => ({ under: { owner }, ...start }))
  const rows = await past.merged({ table: explorerTables.outputsByOwner, ranges, compare: comparePlaces, limit })
  const places = rows.map(([{ height, txID, outputIndex }]) => ({ height, txID, outputIndex }))
  // An output of several of the addresses is in the list of each.
  return places.filter((place, i) => i === 0 || comparePlaces(places[i - 1] as OutputPlace, place) !== 0)
}

/** Compares two positions in the order of the index: the last created first. */
function comparePlaces(a: OutputPlace, b: OutputPlace): number {
  if (a.height !== b.height) return a.height > b.height ? -1 : 1
  if (a.txID !== b.txID) return a.txID < b.txID ? -1 : 1
  return a.outputIndex - b.outputIndex
}

function requireOutput(view: View, { txID, outputIndex }: OutputPlace): Utxo {
  const utxo = outputOf(view, txID, outputIndex)
  if (!utxo) throw new Error(`output ${outputIndex} of ${txID} is missing`)
  return utxo
}

/** Returns the transaction and output index of the UTXO with this ID, if it ever existed. */
export function placeOfUtxo(view: View, id: ID): { readonly txID: ID; readonly outputIndex: number } | undefined {
  const present = view.get(tables.utxos, id) ?? view.get(tables.untracedOutputs, id)?.utxo
  if (present) return present
  const spender = view.get(explorerTables.spenders, id)
  const tx = spender && acceptedTx(view, spender.txID)?.unsignedTx
  return tx && "inputs" in tx ? tx.inputs.find(({ txID, outputIndex }) => utxoID(txID, outputIndex) === id) : undefined
}
