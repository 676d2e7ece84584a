import type { Diff } from "../../state/diff.js"
import type { OwnerKey } from "../../state/ownerKey.js"
import { tables } from "../../state/tables.js"
import type { ID } from "../../types/id.js"
import { type Utxo, utxoID } from "../../types/utxo.js"
import type { PlacedTx } from "../acceptedBlock.js"
import { listedOwners } from "../ownerGroups.js"
import type { Projection, ProjectionContext } from "../projection.js"
import type { Moment } from "../tables.js"
import { createdBy, type Movement, movementOf, refundIDOf, spentBy } from "./movements.js"
import { type Effect, explorerTables } from "./tables.js"

/**
 * Records the owners of outputs by height, the transactions that spent them, and the amounts that each transaction took from an owner and
 * gave to it.
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
    for (const placed of txs) moveMoney(context, placed, height)
  },
}

function moveMoney(context: ProjectionContext, placed: PlacedTx, height: bigint): void {
  const { diff } = context
  const { tx, index } = placed
  const moment = { height, index }
  for (const spent of spentBy(tx, context)) {
    const id = utxoID(spent.txID, spent.outputIndex)
    createLateRefund(diff, id, spent)
    diff.put(explorerTables.spenders, id, { txID: tx.id, height })
    spend(diff, spent, moment)
  }
  for (const created of createdBy(placed, height, diff)) create(diff, created, moment)
  const refundID = refundIDOf(tx)
  if (refundID && !diff.get(tables.utxos, refundID)) {
    diff.put(explorerTables.openRefunds, refundID, { txID: tx.id, ...moment })
  }
}

/**
 * Adds a refund that was not known when its transaction was accepted: the state keeps no amount of a refund that is spent. The input that
 * spends it has the amount. Without this, rows that are made later would differ from those that are kept with each block.
 */
function createLateRefund(diff: Diff, id: ID, spent: Movement): void {
  const open = diff.get(explorerTables.openRefunds, id)
  if (!open) return
  diff.delete(explorerTables.openRefunds, id)
  create(diff, spent, { height: open.height, index: open.index })
}

/** Adds an output that no transaction made, such as those of genesis. */
export function createUntraced(diff: Diff, utxo: Utxo, height: bigint): void {
  const id = utxoID(utxo.txID, utxo.outputIndex)
  diff.put(explorerTables.untracedOutputs, id, utxo)
  const movement = movementOf(utxo)
  for (const owner of listedOwners(diff, movement.addresses)) listOutput(diff, owner, movement, height)
}

function create(diff: Diff, created: Movement, moment: Moment): void {
  for (const owner of listedOwners(diff, created.addresses)) listOutput(diff, owner, created, moment.height)
  addEffects(diff, created, moment, "received")
}

function listOutput(diff: Diff, owner: OwnerKey, { txID, outputIndex, assetID, amount }: Movement, height: bigint): void {
  diff.put(explorerTables.outputsByOwner, { owner, height, txID, outputIndex }, null)
  addToBalance(diff, { owner, assetID, height }, amount, 1n)
}

function spend(diff: Diff, spent: Movement, moment: Moment): void {
  for (const owner of listedOwners(diff, spent.addresses)) {
    addToBalance(diff, { owner, assetID: spent.assetID, height: moment.height }, -spent.amount, -1n)
  }
  addEffects(diff, spent, moment, "sent")
}

function addEffects(diff: Diff, { addresses, assetID, amount }: Movement, moment: Moment, way: "sent" | "received"): void {
  for (const owner of listedOwners(diff, addresses)) {
    const key = { owner, ...moment }
    const before = diff.get(explorerTables.effects, key) ?? []
    const known = before.find((each) => each.assetID === assetID) ?? { assetID, received: 0n, sent: 0n }
    const after: Effect = { ...known, [way]: known[way] + amount }
    diff.put(explorerTables.effects, key, [...before.filter((each) => each.assetID !== assetID), after])
  }
}

/** Changes a balance from a height on. Rows above the height exist only where a refund is added late. */
function addToBalance(
  diff: Diff,
  at: { readonly owner: OwnerKey; readonly assetID: ID; readonly height: bigint },
  amount: bigint,
  count: bigint,
): void {
  const table = explorerTables.pastBalances
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
