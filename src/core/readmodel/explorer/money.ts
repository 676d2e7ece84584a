import type { Diff } from "../../state/diff.js"
import { type OwnerKey, ownerKeysOf } from "../../state/ownerKey.js"
import { type View, valuesOf } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import { unlockedInput } from "../../types/input.js"
import { innerOutput } from "../../types/output.js"
import { type Utxo, utxoID } from "../../types/utxo.js"
import type { PlacedTx } from "../acceptedBlock.js"
import { listedOwners } from "../ownerGroups.js"
import type { BlockProjection, ProjectionContext } from "../projection.js"
import { outputsCreatedBy } from "./movements.js"
import { type Effect, explorerTables } from "./tables.js"

/**
 * Records the owners of outputs by height, the transactions that spent them, and the amounts that each transaction took from an owner and
 * paid to it.
 */
export const money: BlockProjection = {
  onBlock(context, { height, txs }) {
    const changes = new OwnerSums()
    for (const placed of txs) moveMoney(context, placed, changes)
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

function moveMoney(context: ProjectionContext, placed: PlacedTx, changes: OwnerSums): void {
  const { diff } = context
  const { tx, height, index } = placed
  const effects = new OwnerSums()
  for (const spent of "inputs" in tx.unsignedTx ? tx.unsignedTx.inputs : []) {
    const id = utxoID(spent.txID, spent.outputIndex)
    diff.insert(explorerTables.spenders, id, { txID: tx.id, height })
    const change = { received: 0n, sent: unlockedInput(spent.input).amount, count: -1n }
    for (const owner of listedOwners(diff, context.ownersOf(spent))) effects.add(owner, spent.assetID, change)
  }
  for (const { utxo } of outputsCreatedBy(placed, diff)) addCreated(diff, utxo, height, effects)
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
  for (const utxo of utxos) addCreated(diff, utxo, height, changes)
  changeBalances(diff, changes, height)
}

/** Returns whether the rows of an output are there. One without owners has none. */
export function isCreated(view: View, { txID, outputIndex, output }: Utxo, height: bigint): boolean {
  const [owner] = ownerKeysOf(innerOutput(output).addresses)
  return owner === undefined || view.get(explorerTables.outputsByOwner, { owner, height, txID, outputIndex }) !== undefined
}

/** Lists a new output under its owners, and adds its amount to their sums. */
function addCreated(diff: Diff, { txID, outputIndex, assetID, output }: Utxo, height: bigint, sums: OwnerSums): void {
  const { amount, addresses } = innerOutput(output)
  for (const owner of listedOwners(diff, addresses)) {
    diff.insert(explorerTables.outputsByOwner, { owner, height, txID, outputIndex }, null)
    sums.add(owner, assetID, { received: amount, sent: 0n, count: 1n })
  }
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
