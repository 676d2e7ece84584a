import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { type ID, PRIMARY_NETWORK_ID } from "../types/id.js"
import type { OutputOwners } from "../types/owners.js"
import { readTables } from "./tables.js"

export interface ChainEntry {
  readonly id: ID
  readonly name: string
  readonly subnetID: ID
  readonly vmID: ID
}

/** Returns every subnet in the order of creation, without the primary network. */
export function* subnetIDs(view: View): Iterable<ID> {
  for (const [, subnetID] of view.rows(readTables.subnetsInOrder)) yield subnetID
}

/** Returns the chains of a subnet in the order of creation. */
export function* chainIDsOf(view: View, subnetID: ID): Iterable<ID> {
  for (const [, chainID] of view.rows(readTables.chainsInOrder, { under: { subnetID } })) yield chainID
}

/** Returns every chain, by subnets in the order of creation; those of the primary network last, and without the P-Chain. */
export function* allChains(view: View): Iterable<ChainEntry> {
  for (const subnetID of subnetIDs(view)) yield* chainsOf(view, subnetID)
  yield* chainsOf(view, PRIMARY_NETWORK_ID)
}

function* chainsOf(view: View, subnetID: ID): Iterable<ChainEntry> {
  for (const id of chainIDsOf(view, subnetID)) {
    const chain = view.get(tables.chains, id)
    if (!chain) throw new Error(`chain ${id} is missing`)
    yield { id, name: chain.chainName, subnetID, vmID: chain.vmID }
  }
}

export interface SubnetFacts {
  readonly owner: OutputOwners
  readonly transformationTxID: ID | undefined
  readonly conversion: { readonly conversionID: ID; readonly chainID: ID; readonly address: Uint8Array } | undefined
}

/** Returns the facts about a subnet; `undefined` if it does not exist. */
export function subnetFacts(view: View, subnetID: ID): SubnetFacts | undefined {
  const owner = view.get(tables.subnetOwners, subnetID)
  if (!owner) return undefined
  const transformationTxID = view.get(tables.transformations, subnetID)?.txID
  return { owner, transformationTxID, conversion: view.get(tables.conversions, subnetID) }
}
