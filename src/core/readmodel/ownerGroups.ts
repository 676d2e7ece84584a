import type { Diff } from "../state/diff.js"
import { MAX_LISTED_OWNERS, type OwnerGroup, type OwnerKey, ownerKeysOf } from "../state/ownerKey.js"
import { tables } from "../state/tables.js"
import type { PastReader, View } from "../state/view.js"
import { stakerInfoOf } from "../txs/execute.js"
import type { UnsignedTx } from "../txs/unsignedTx.js"
import type { Address } from "../types/address.js"
import type { TransferableOutput } from "../types/output.js"
import { addressesOf } from "./owners.js"
import { followNewValues, type Projection } from "./projection.js"
import { readTables } from "./tables.js"

/** Records the groups of owners to which addresses belong. A group is written when its owners first occur, and stays. */
export const ownerGroups: Projection = {
  tables: [readTables.ownerGroups],
  follows: [followNewValues(tables.utxos, (diff, utxo) => void listedOwners(diff, addressesOf(utxo)))],

  onBlock({ diff }, { txs }) {
    for (const { tx } of txs) for (const output of outputsElsewhere(tx.unsignedTx)) listedOwners(diff, addressesOf(output))
  },
}

/** Returns the outputs of a transaction that do not become UTXOs of the P-Chain: staked and exported ones. */
function outputsElsewhere(tx: UnsignedTx): readonly TransferableOutput[] {
  return tx.kind === "ExportTx" ? tx.exportedOutputs : (stakerInfoOf(tx)?.stake ?? [])
}

const isWritten = (view: View, [address]: readonly Address[], group: OwnerGroup): boolean =>
  address !== undefined && view.get(readTables.ownerGroups, { address, group }) !== undefined

/** Returns the keys under which a projection lists an output of these addresses, and records their group if it is new. */
export function listedOwners(diff: Diff, addresses: readonly Address[]): readonly OwnerKey[] {
  if (addresses.length <= MAX_LISTED_OWNERS) return ownerKeysOf(addresses)
  // Several projections list the same output, and the hash of 47,000 owners takes 15 ms.
  return diff.computed(addresses, () => {
    const keys = ownerKeysOf(addresses)
    const group = keys[0] as OwnerGroup
    if (!isWritten(diff, addresses, group)) {
      for (const address of addresses) diff.put(readTables.ownerGroups, { address, group }, null)
    }
    return keys
  })
}

export function groupsOf(view: View, address: Address): readonly OwnerGroup[] {
  // Most chains have no group, which the first row of the table shows sooner than a range.
  if (view.first(readTables.ownerGroups) === undefined) return []
  return [...view.rows(readTables.ownerGroups, { under: { address } })].map(([{ group }]) => group)
}

/** Returns every key under which something of an address is listed. */
export function ownerKeysFor(view: View, address: Address): readonly OwnerKey[] {
  return [address, ...groupsOf(view, address)]
}

/** Returns every key under which something of any of these addresses is listed, each once. */
export async function ownersOf(past: PastReader, addresses: readonly Address[]): Promise<readonly OwnerKey[]> {
  return [...new Set((await past.each(addresses, ownerKeysFor)).flat())]
}
