import { refundIDOf, utxosCreatedBy } from "../../readmodel/explorer/movements.js"
import { tables } from "../../state/tables.js"
import type { Address } from "../../types/address.js"
import type { ID } from "../../types/id.js"
import { unlockedInput } from "../../types/input.js"
import { innerOutput } from "../../types/output.js"
import type { Utxo } from "../../types/utxo.js"
import { ownersOfSpent, type RowContext, rememberOwners, type TxPlace } from "../rowContext.js"
import { sqlTables } from "../tables.js"

/** An amount that an address received or spent. */
export interface AddressMovement {
  readonly addresses: readonly Address[]
  readonly assetID: ID
  readonly received: bigint
  readonly sent: bigint
}

/** Adds the outputs that a transaction creates and spends. Returns the movements for the history of addresses. */
export function addOutputs(context: RowContext, place: TxPlace): AddressMovement[] {
  const movements = spent(context, place)
  for (const utxo of utxosCreatedBy(place, place.height, context.view)) {
    addOutput(context, utxo, { height: place.height, createdBy: place.tx.id, kind: kindOf(context, place, utxo) })
    movements.push(receivedOf(utxo))
  }
  return movements
}

/** Returns the amount that the owners of a new output receive. */
export function receivedOf({ assetID, output }: Utxo): AddressMovement {
  const { addresses, amount } = innerOutput(output)
  return { addresses, assetID, received: amount, sent: 0n }
}

function kindOf({ view }: RowContext, { tx }: TxPlace, { txID, outputIndex }: Utxo): string {
  const isOwn = txID === tx.id && "outputs" in tx.unsignedTx
  if (isOwn && outputIndex < tx.unsignedTx.outputs.length) return "payment"
  if (view.get(tables.rewardUtxos, { txID, outputIndex })) return "reward"
  if (!isOwn) return "stake"
  return refundIDOf(tx) === undefined ? "stake" : "refund"
}

interface Origin {
  readonly height: bigint
  readonly createdBy: ID | undefined
  readonly kind: string
}

export function addOutput(context: RowContext, { txID, outputIndex, assetID, output }: Utxo, origin: Origin): void {
  const { texts } = context
  const { amount, addresses, threshold, locktime } = innerOutput(output)
  rememberOwners(context, txID, outputIndex, addresses)
  context.rows.add(sqlTables.outputs, {
    tx_id: texts.id(txID),
    output_index: outputIndex,
    height: origin.height,
    created_by: origin.createdBy === undefined ? null : texts.id(origin.createdBy),
    kind: origin.kind,
    asset_id: texts.id(assetID),
    amount,
    addresses: addresses.map(texts.address),
    threshold: BigInt(threshold),
    locktime,
    stakeable_locktime: output.kind === "LockOut" ? output.locktime : 0n,
  })
}

function spent(context: RowContext, { tx, height }: TxPlace): AddressMovement[] {
  const { rows, texts } = context
  const { unsignedTx } = tx
  if (!("inputs" in unsignedTx)) return []
  return unsignedTx.inputs.map(({ txID, outputIndex, assetID, input }, i) => {
    const { amount } = unlockedInput(input)
    rows.add(sqlTables.inputs, {
      tx_id: texts.id(txID),
      output_index: outputIndex,
      spent_by: texts.id(tx.id),
      input_index: i,
      height,
      asset_id: texts.id(assetID),
      amount,
    })
    return { addresses: ownersOfSpent(context, txID, outputIndex), assetID, received: 0n, sent: amount }
  })
}
