import type { Diff } from "../../state/diff.js"
import type { OwnerKey } from "../../state/ownerKey.js"
import { valuesOf } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import { type Utxo, utxoID } from "../../types/utxo.js"
import type { PlacedTx } from "../acceptedBlock.js"
import { listedOwners } from "../ownerGroups.js"
import type { Projection, ProjectionContext } from "../projection.js"
import { type Movement, movementOf, movementsCreatedBy, spentBy } from "./movements.js"
import { type Effect, explorerTables } from "./tables.js"

/**
 * Records the owners of outputs by height, the transactions that spent them, and the amounts that each transaction took from an owner and
 * paid to it.
 */
export const money: Projection = {
  name: "money",
  tables: [
    explorerTables.effects,
    explorerTables.pastBalances,
    explorerTables.outputsByOwner,
    explorerTables.spenders,
    explorerTables.untracedOutputs,
  ],

  onBlock(context, { height, txs }) {
    const changes = new OwnerSums()
    for (const placed of txs) moveMoney(context, placed, height, changes)
    changeBalances(context.diff, changes, height)
  },
}

/** A change of an owner's amount of one asset, and of the number of its UTXOs. */
interface AssetSum {
  readonly received: bigint
  readonly sent: bigint
  readonly count: bigint
}

/** Sums the amounts that owners receive and spend, by asset. */
class OwnerSums {
  readonly byOwner = new Map<OwnerKey, Map<ID, AssetSum>>()

  add(owner: OwnerKey, assetID: ID, { received, sent, count }: AssetSum): void {
    let sums = this.byOwner.get(owner)
    if (!sums) {
      sums = new Map()
      this.byOwner.set(owner, sums)
    }
    const sum = sums.get(assetID)
    // The asset that was moved last comes last.
    if (sum && sums.size > 1) sums.delete(assetID)
    sums.set(
      assetID,
      sum ? { received: sum.received + received, sent: sum.sent + sent, count: sum.count + count } : { received, sent, count },
    )
  }
}

function moveMoney(context: ProjectionContext, placed: PlacedTx, height: bigint, changes: OwnerSums): void {
  const { diff } = context
  const { tx, index } = placed
  const effects = new OwnerSums()
  for (const spent of spentBy(tx, context)) {
    const id = utxoID(spent.txID, spent.outputIndex)
    diff.insert(explorerTables.spenders, id, { txID: tx.id, height })
    const change = { received: 0n, sent: spent.amount, count: -1n }
    for (const owner of listedOwners(diff, spent.addresses)) effects.add(owner, spent.assetID, change)
  }
  for (const created of movementsCreatedBy(placed, height, diff)) {
    const change = { received: created.amount, sent: 0n, count: 1n }
    for (const owner of listedOwners(diff, created.addresses)) {
      listOutput(diff, owner, created, height)
      effects.add(owner, created.assetID, change)
    }
  }
  for (const [owner, sums] of effects.byOwner) {
    const row: Effect[] = []
    for (const [assetID, sum] of sums) {
      row.push({ assetID, received: sum.received, sent: sum.sent })
      changes.add(owner, assetID, sum)
    }
    diff.insert(explorerTables.effects, { owner, height, index }, row)
  }
}

/** Adds outputs without a transaction, such as those of genesis, with the balances of their owners. */
export function createUntraced(diff: Diff, utxos: readonly Utxo[], height: bigint): void {
  const changes = new OwnerSums()
  for (const utxo of utxos) {
    const { txID, outputIndex, assetID, amount, addresses } = movementOf(utxo)
    diff.put(explorerTables.untracedOutputs, utxoID(txID, outputIndex), utxo)
    for (const owner of listedOwners(diff, addresses)) {
      listOutput(diff, owner, utxo, height)
      changes.add(owner, assetID, { received: amount, sent: 0n, count: 1n })
    }
  }
  changeBalances(diff, changes, height)
}

function listOutput(
  diff: Diff,
  owner: OwnerKey,
  { txID, outputIndex }: Pick<Movement, "txID" | "outputIndex">,
  height: bigint,
): void {
  diff.insert(explorerTables.outputsByOwner, { owner, height, txID, outputIndex }, null)
}

/** Changes balances from a height on. A block changes a balance once, however many of its transactions do. */
function changeBalances(diff: Diff, changes: OwnerSums, height: bigint): void {
  for (const [owner, sums] of changes.byOwner) {
    for (const [assetID, { received, sent, count }] of sums) {
      const [before] = valuesOf(diff.rows(explorerTables.pastBalances, { under: { owner, assetID } }))
      const after = { amount: (before?.amount ?? 0n) + received - sent, count: (before?.count ?? 0n) + count }
      diff.put(explorerTables.pastBalances, { owner, assetID, height }, after)
    }
  }
}
