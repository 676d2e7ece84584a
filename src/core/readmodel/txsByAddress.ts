import type { OwnerKey } from "../state/ownerKey.js"
import { requireStaker, stakerInfoOf } from "../txs/execute.js"
import { txTypeOf } from "../txs/unsignedTx.js"
import type { Address } from "../types/address.js"
import type { PlacedTx } from "./acceptedBlock.js"
import { listedOwners } from "./ownerGroups.js"
import { addressesOf } from "./owners.js"
import type { Projection, ProjectionContext } from "./projection.js"
import { rewardsPaidBy } from "./rewardsByAddress.js"
import { readTables } from "./tables.js"

/**
 * Records the transactions that involve an address: the owners of outputs that are spent, created, staked, exported, returned and paid as a
 * reward. The owner of an imported UTXO is not known here, because the UTXO is from another chain.
 */
export const txsByAddress: Projection = {
  tables: [readTables.txsByAddress],

  onBlock(context, { height, txs }) {
    for (const placed of txs) {
      const { tx, index } = placed
      const row = { txID: tx.id, typeID: txTypeOf(tx.unsignedTx.kind).typeID }
      for (const owner of ownersOfTx(placed, context)) context.diff.put(readTables.txsByAddress, { owner, height, index }, row)
    }
  },
}

/** Returns the keys under which a transaction is listed: those of the owners of everything that it consumes and produces. */
export function ownersOfTx(placed: PlacedTx, context: ProjectionContext): ReadonlySet<OwnerKey> {
  const { id } = placed.tx
  const known = context.txOwners?.get(id)
  if (known) return known
  const owners = new Set<OwnerKey>()
  for (const addresses of partiesOf(placed, context)) {
    for (const owner of listedOwners(context.diff, addresses)) owners.add(owner)
  }
  context.txOwners?.set(id, owners)
  return owners
}

/** Returns the owners of everything that a transaction consumes and produces, output by output. */
function* partiesOf(placed: PlacedTx, { diff, ownersOf }: ProjectionContext): Iterable<readonly Address[]> {
  const { unsignedTx: tx } = placed.tx
  if (tx.kind === "RewardValidatorTx" || tx.kind === "RewardAutoRenewedValidatorTx") {
    // The stake is returned or continues.
    for (const output of requireStaker(diff, tx.txID).stake) yield addressesOf(output)
  }
  for (const { utxo } of rewardsPaidBy(placed, diff)) yield addressesOf(utxo)
  for (const fact of placed.facts) if (fact.kind === "refund") yield addressesOf(fact.utxo)
  if (!("inputs" in tx)) return
  for (const input of tx.inputs) yield ownersOf(input)
  for (const output of tx.outputs) yield addressesOf(output)
  for (const output of stakerInfoOf(tx)?.stake ?? []) yield addressesOf(output)
  if (tx.kind === "ExportTx") for (const output of tx.exportedOutputs) yield addressesOf(output)
}
