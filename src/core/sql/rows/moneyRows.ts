import { outputsCreatedBy } from "../../readmodel/explorer/movements.js"
import { feePaid } from "../../txs/amounts.js"
import type { UnsignedTx } from "../../txs/unsignedTx.js"
import type { Address } from "../../types/address.js"
import type { ID } from "../../types/id.js"
import { unlockedInput } from "../../types/input.js"
import { innerOutput } from "../../types/output.js"
import type { Utxo } from "../../types/utxo.js"
import { ownersOfSpent, type RowContext, rememberOwners, type TxPlace } from "../rowContext.js"
import { sqlTables } from "../tables.js"

const NO_MEMO = new Uint8Array(0)

/** Adds a transaction, the amounts that it moves within the chain, and those that it imports from or exports to other chains. */
export function addTx(context: RowContext, place: TxPlace): void {
  const { rows, texts, rules } = context
  const { tx, index, isCommitted, height, time } = place
  const { unsignedTx } = tx
  rows.add(sqlTables.txs, {
    tx_id: texts.id(tx.id),
    height,
    tx_index: index,
    time,
    kind: unsignedTx.kind,
    status: isCommitted ? "Committed" : "Aborted",
    fee: feePaid(unsignedTx, rules.avaxAssetID),
    memo: "memo" in unsignedTx ? unsignedTx.memo : NO_MEMO,
    size: tx.bytes.length,
  })
  for (const [i, transfer] of transfersOf(unsignedTx).entries()) {
    const { direction, chainID, assetID, amount, owners } = transfer
    const ids = { tx_id: texts.id(tx.id), chain_id: texts.id(chainID), asset_id: texts.id(assetID) }
    const addresses = owners.map(texts.address)
    rows.add(sqlTables.cross_chain_transfers, { ...ids, transfer_index: i, height, time, direction, amount, addresses })
  }
  const origin = { txID: tx.id, kind: unsignedTx.kind, height, txIndex: index, time }
  addAddressHistory(context, origin, addOutputs(context, place))
}

function transfersOf(tx: UnsignedTx) {
  if (tx.kind === "ImportTx") {
    const { sourceChain: chainID, importedInputs } = tx
    return importedInputs.map(({ assetID, input }) => {
      return { direction: "import", chainID, assetID, amount: unlockedInput(input).amount, owners: [] }
    })
  }
  if (tx.kind !== "ExportTx") return []
  const { destinationChain: chainID, exportedOutputs } = tx
  return exportedOutputs.map(({ assetID, output }) => {
    const { amount, addresses: owners } = innerOutput(output)
    return { direction: "export", chainID, assetID, amount, owners }
  })
}

/** An amount that an address received or spent. */
interface AddressMovement {
  readonly addresses: readonly Address[]
  readonly assetID: ID
  readonly received: bigint
  readonly sent: bigint
}

/** Adds the outputs that a transaction creates and spends. Returns the movements for the history of addresses. */
function addOutputs(context: RowContext, place: TxPlace): AddressMovement[] {
  const movements = spent(context, place)
  for (const { utxo, role } of outputsCreatedBy(place, context.view)) {
    addOutput(context, utxo, { height: place.height, createdBy: place.tx.id, kind: role })
    movements.push(receivedOf(utxo))
  }
  return movements
}

/** Returns the amount that the owners of a new output receive. */
export function receivedOf({ assetID, output }: Utxo): AddressMovement {
  const { addresses, amount } = innerOutput(output)
  return { addresses, assetID, received: amount, sent: 0n }
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
    return { addresses: ownersOfSpent(context, { txID, outputIndex }), assetID, received: 0n, sent: amount }
  })
}

/** The transaction that movements belong to. */
interface HistoryPlace {
  readonly txID: ID
  readonly kind: string
  readonly height: bigint
  readonly txIndex: number
  /** The time in Unix seconds. */
  readonly time: bigint
}

/** Adds the amounts that a transaction paid to each address and took from it, by asset. */
export function addAddressHistory({ rows, texts }: RowContext, place: HistoryPlace, movements: readonly AddressMovement[]): void {
  const totals = new Map<string, Omit<AddressMovement, "addresses"> & { readonly address: Address }>()
  for (const { addresses, assetID, received, sent } of movements) {
    for (const address of addresses) {
      const key = address + assetID
      const before = totals.get(key) ?? { received: 0n, sent: 0n }
      totals.set(key, { address, assetID, received: before.received + received, sent: before.sent + sent })
    }
  }
  for (const { address, assetID, received, sent } of totals.values()) {
    rows.add(sqlTables.address_history, {
      address: texts.address(address),
      height: place.height,
      tx_index: place.txIndex,
      asset_id: texts.id(assetID),
      tx_id: texts.id(place.txID),
      time: place.time,
      kind: place.kind,
      received,
      sent,
    })
  }
}
