import type { OwnerKey } from "../state/ownerKey.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { acceptedStaker, stakerInfoOf } from "../txs/execute.js"
import type { Tx } from "../txs/tx.js"
import { txTypeOf } from "../txs/unsignedTx.js"
import type { Address } from "../types/address.js"
import type { ID } from "../types/id.js"
import { listedOwners } from "./ownerGroups.js"
import { addressesOf, refundOwnersOf } from "./owners.js"
import type { Projection, ProjectionContext } from "./projection.js"
import { readTables } from "./tables.js"

/**
 * Records the transactions that involve an address: the owners of outputs that are spent, created, staked, exported, returned and paid as a
 * reward. The owner of an imported UTXO is not known here, because the UTXO is from another chain.
 */
export const txsByAddress: Projection = {
  tables: [readTables.txsByAddress],

  onBlock(context, { height, txs }) {
    for (const { tx, index } of txs) {
      const row = { txID: tx.id, typeID: txTypeOf(tx.unsignedTx.kind).typeID }
      for (const owner of ownersOfTx(tx, context)) context.diff.put(readTables.txsByAddress, { owner, height, index }, row)
    }
  },
}

/** Returns the keys under which a transaction is listed: those of the owners of everything that it consumes and produces. */
export function ownersOfTx(tx: Tx, context: ProjectionContext): ReadonlySet<OwnerKey> {
  const known = context.txOwners?.get(tx.id)
  if (known) return known
  const owners = new Set<OwnerKey>()
  for (const addresses of partiesOf(tx, context)) {
    for (const owner of listedOwners(context.diff, addresses)) owners.add(owner)
  }
  context.txOwners?.set(tx.id, owners)
  return owners
}

/** Returns the owners of everything that a transaction consumes and produces, output by output. */
function* partiesOf({ id, unsignedTx: tx }: Tx, { diff, ownersOf }: ProjectionContext): Iterable<readonly Address[]> {
  if (tx.kind === "RewardValidatorTx") yield* rewardedBy(diff, tx.txID, tx.txID)
  if (tx.kind === "RewardAutoRenewedValidatorTx") yield* rewardedBy(diff, tx.txID, id)
  if (!("inputs" in tx)) return
  for (const input of tx.inputs) yield ownersOf(input)
  for (const output of tx.outputs) yield addressesOf(output)
  for (const output of stakerInfoOf(tx)?.stake ?? []) yield addressesOf(output)
  if (tx.kind === "ExportTx") for (const output of tx.exportedOutputs) yield addressesOf(output)
  yield refundOwnersOf(diff, tx)
}

/**
 * Returns the owners of a stake that is returned or continues, and of the rewards. `paidUnder` is the transaction under which the rewards
 * are listed.
 */
function* rewardedBy(view: View, stakerTxID: ID, paidUnder: ID): Iterable<readonly Address[]> {
  for (const output of acceptedStaker(view, stakerTxID)?.stake ?? []) yield addressesOf(output)
  for (const [, reward] of view.rows(tables.rewardUtxos, { under: { txID: paidUnder } })) yield addressesOf(reward)
}
