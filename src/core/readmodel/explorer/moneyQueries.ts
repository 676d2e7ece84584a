import { mergeSorted } from "../../lib/mergeSorted.js"
import type { Work } from "../../lib/work.js"
import type { OwnerKey } from "../../state/ownerKey.js"
import { tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import { acceptedTx } from "../../txs/execute.js"
import type { Address } from "../../types/address.js"
import type { ID } from "../../types/id.js"
import { type Utxo, utxoID } from "../../types/utxo.js"
import { ownerKeysFor } from "../ownerGroups.js"
import { outputOf } from "./outputOf.js"
import { explorerTables } from "./tables.js"

/** The sum and the number of the UTXOs of one asset. */
export interface PastBalance {
  readonly assetID: ID
  readonly amount: bigint
  readonly count: bigint
}

/** Returns the spendable balances of an address after the block of a height, by asset. */
export function* balancesAt(view: View, address: Address, height: bigint): Work<PastBalance[]> {
  const sums = new Map<ID, PastBalance>()
  for (const [i, owner] of ownerKeysFor(view, address).entries()) {
    if (i % READ_AT_ONCE === READ_AT_ONCE - 1) yield
    for (const { assetID, amount, count } of balancesOfOwner(view, owner, height)) {
      const sum = sums.get(assetID) ?? { assetID, amount: 0n, count: 0n }
      sums.set(assetID, { assetID, amount: sum.amount + amount, count: sum.count + count })
    }
  }
  return [...sums.values()].filter(({ count }) => count > 0n)
}

/** Seeks from asset to asset, so that rows of other heights are not read. */
function* balancesOfOwner(view: View, owner: OwnerKey, height: bigint): Iterable<PastBalance> {
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

function firstOf<T>(rows: Iterable<T>): T | undefined {
  for (const row of rows) return row
  return undefined
}

/** A position in the list of an owner's outputs: after this one. */
export interface OutputPlace {
  readonly height: bigint
  readonly txID: ID
  readonly outputIndex: number
}

/** A query for the UTXOs of an address. */
export interface PastUtxoQuery {
  readonly address: Address
  readonly height: bigint
  readonly after?: OutputPlace | undefined
  readonly limit: number
}

/** Some UTXOs, and the position of the next page; `undefined` after the last page. */
export interface PastUtxoPage {
  readonly utxos: readonly Utxo[]
  readonly next: OutputPlace | undefined
}

/** The maximum number of outputs that one page reads. For an address that has spent many, older ones are skipped over several pages. */
const LOOK_AT_MOST = 10_000
const READ_AT_ONCE = 100

/** Returns UTXOs that an address could spend after the block of a height, the last created first. */
export function* utxosAt(view: View, { address, height, after, limit }: PastUtxoQuery): Work<PastUtxoPage> {
  const utxos: Utxo[] = []
  let left = (yield* balancesAt(view, address, height)).reduce((sum, { count }) => sum + count, 0n)
  let looked = 0
  for (const place of outputsUnder(view, ownerKeysFor(view, address), after ?? { height, ...LAST_OUTPUT })) {
    if (samePlace(place, after)) continue
    const spender = view.get(explorerTables.spenders, utxoID(place.txID, place.outputIndex))
    if (!spender || spender.height > height) {
      utxos.push(requireOutput(view, place))
      left--
    }
    if (utxos.length >= limit || ++looked >= LOOK_AT_MOST) return { utxos, next: place }
    // The number of UTXOs is known with the first page, so older outputs are all spent.
    if (!after && left === 0n) break
    if (looked % READ_AT_ONCE === 0) yield
  }
  return { utxos, next: undefined }
}

const LAST_OUTPUT = { txID: "00".repeat(32) as ID, outputIndex: 0 }

const samePlace = (a: OutputPlace, b: OutputPlace | undefined): boolean => a.txID === b?.txID && a.outputIndex === b.outputIndex

/** Returns the outputs under some keys, the last created first, from a position on. */
function* outputsUnder(view: View, owners: readonly OwnerKey[], from: OutputPlace): Iterable<OutputPlace> {
  const lists = owners.map((owner) => view.rows(explorerTables.outputsByOwner, { under: { owner }, from }))
  for (const [place] of mergeSorted(lists, ([a], [b]) => comparePlaces(a, b))) yield place
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
  const present = view.get(tables.utxos, id) ?? view.get(explorerTables.untracedOutputs, id)
  if (present) return present
  const spender = view.get(explorerTables.spenders, id)
  const tx = spender && acceptedTx(view, spender.txID)?.unsignedTx
  return tx && "inputs" in tx ? tx.inputs.find(({ txID, outputIndex }) => utxoID(txID, outputIndex) === id) : undefined
}
