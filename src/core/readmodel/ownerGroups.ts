import type { Diff } from "../state/diff.js"
import { MAX_LISTED_OWNERS, type OwnerGroup, type OwnerKey, ownerKeysOf } from "../state/ownerKey.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import type { Address } from "../types/address.js"
import { addressesOf } from "./owners.js"
import { follow, type Projection } from "./projection.js"
import { readTables } from "./tables.js"

/** The groups of owners that addresses belong to. A group is written when its owners are first named, and stays. */
export const ownerGroups: Projection = {
  name: "ownerGroups",
  tables: [readTables.ownerGroups],
  follows: [
    follow(tables.utxos, (diff, _utxoID, _before, after) => {
      if (after) listedOwners(diff, addressesOf(after))
    }),
  ],
}

/** The keys under which a projection lists what these addresses own; writes down their group where it is new. */
export function listedOwners(diff: Diff, addresses: readonly Address[]): readonly OwnerKey[] {
  const keys = ownerKeysOf(addresses)
  if (addresses.length <= MAX_LISTED_OWNERS) return keys
  const group = keys[0] as OwnerGroup
  const isKnown = diff.get(readTables.ownerGroups, { address: addresses[0] as Address, group }) !== undefined
  if (!isKnown) for (const address of addresses) diff.put(readTables.ownerGroups, { address, group }, null)
  return keys
}

/** The groups that an address belongs to. */
export function groupsOf(view: View, address: Address): readonly OwnerGroup[] {
  return [...view.rows(readTables.ownerGroups, { under: { address } })].map(([{ group }]) => group)
}

/** Every key under which something of an address is listed. */
export function ownerKeysFor(view: View, address: Address): readonly OwnerKey[] {
  return [address, ...groupsOf(view, address)]
}
