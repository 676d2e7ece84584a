import { Diff } from "../../state/diff.js"
import type { OwnerKey } from "../../state/ownerKey.js"
import { tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { ID } from "../../types/id.js"
import { type Utxo, utxoID } from "../../types/utxo.js"
import type { PlacedTx } from "../acceptedBlock.js"
import { listedOwners } from "../ownerGroups.js"
import type { Projection, ProjectionContext } from "../projection.js"
import type { Moment } from "../tables.js"
import { type Movement, movementOf, movementsCreatedBy, refundIDOf, spentBy } from "./movements.js"
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
    explorerTables.openRefunds,
    explorerTables.untracedOutputs,
  ],

  onBlock(context, { height, txs }) {
    const changes = new OwnerSums()
    for (const placed of txs) moveMoney(context, placed, height, changes)
    // A block changes a balance once, however many of its transactions do.
    for (const [owner, sums] of changes.byOwner) {
      for (const [assetID, { received, sent, count }] of sums) {
        addToBalance(context.diff, { owner, assetID, height }, received - sent, count)
      }
    }
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
    createLateRefund(diff, id, spent)
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
  const refundID = refundIDOf(tx)
  if (refundID && !diff.get(tables.utxos, refundID)) {
    diff.put(explorerTables.openRefunds, refundID, { txID: tx.id, height, index })
  }
}

/**
 * Adds a refund that was not known when its transaction was accepted, because the state has no amount of a refund that is spent. The input
 * that spends it has the amount. Without this, rows that are added later would differ from those that are added with each block.
 */
function createLateRefund(diff: Diff, id: ID, spent: Movement): void {
  // Few chains have an open refund at any time. The first row of a table is known without a search in the store.
  const open = diff.first(explorerTables.openRefunds) && diff.get(explorerTables.openRefunds, id)
  if (!open) return
  diff.delete(explorerTables.openRefunds, id)
  create(diff, spent, open.height)
  addReceived(diff, spent, { height: open.height, index: open.index })
}

/** Adds an output without a transaction, such as those of genesis. */
export function createUntraced(diff: Diff, utxo: Utxo, height: bigint): void {
  const id = utxoID(utxo.txID, utxo.outputIndex)
  diff.put(explorerTables.untracedOutputs, id, utxo)
  create(diff, movementOf(utxo), height)
}

/** Adds an output without its transaction, with the balances of its owners. */
function create(diff: Diff, created: Movement, height: bigint): void {
  const { addresses, assetID, amount } = created
  for (const owner of listedOwners(diff, addresses)) {
    listOutput(diff, owner, created, height)
    addToBalance(diff, { owner, assetID, height }, amount, 1n)
  }
}

function listOutput(diff: Diff, owner: OwnerKey, { txID, outputIndex }: Movement, height: bigint): void {
  diff.insert(explorerTables.outputsByOwner, { owner, height, txID, outputIndex }, null)
}

/** Adds an amount to the effects of a transaction that were written before. */
function addReceived(diff: Diff, { addresses, assetID, amount }: Movement, moment: Moment): void {
  for (const owner of listedOwners(diff, addresses)) {
    const key = { owner, ...moment }
    const before = diff.get(explorerTables.effects, key) ?? []
    const known = before.find((each) => each.assetID === assetID) ?? { assetID, received: 0n, sent: 0n }
    const after: Effect = { ...known, received: known.received + amount }
    diff.put(explorerTables.effects, key, [...before.filter((each) => each.assetID !== assetID), after])
  }
}

/** Changes a balance from a height on. Rows above the height exist only if a refund is added late. */
function addToBalance(
  diff: Diff,
  at: { readonly owner: OwnerKey; readonly assetID: ID; readonly height: bigint },
  amount: bigint,
  count: bigint,
): void {
  const table = explorerTables.pastBalances
  const newest = newestInDiffs(diff, at.owner, at.assetID)
  if (newest && newest.height <= at.height) {
    diff.put(table, at, { amount: newest.amount + amount, count: newest.count + count })
    return
  }
  const later: bigint[] = []
  let before = { amount: 0n, count: 0n }
  for (const [{ height }, row] of diff.rows(table, { under: { owner: at.owner, assetID: at.assetID } })) {
    if (height > at.height) {
      later.push(height)
      continue
    }
    before = row
    break
  }
  diff.put(table, at, { amount: before.amount + amount, count: before.count + count })
  for (const height of later) {
    const row = diff.get(table, { ...at, height })
    if (row) diff.put(table, { ...at, height }, { amount: row.amount + amount, count: row.count + count })
  }
}

/**
 * Returns the newest row of a balance, if it is in one of the diffs above the store. A diff that has any row of a balance has its newest one,
 * because `addToBalance` also writes all rows above the one that it changes. This saves a search in the store at every block of a busy owner.
 */
function newestInDiffs(diff: Diff, owner: OwnerKey, assetID: ID) {
  for (let view: View = diff; view instanceof Diff; view = view.parent) {
    const found = view.firstOwn(explorerTables.pastBalances, { under: { owner, assetID } })
    if (found) return { height: found[0].height, amount: found[1].amount, count: found[1].count }
  }
  return undefined
}
