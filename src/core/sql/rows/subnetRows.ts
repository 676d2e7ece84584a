import type { UnsignedTx } from "../../txs/unsignedTx.js"
import type { RowContext, TxPlace } from "../rowContext.js"
import type { SqlRow } from "../sqlTable.js"
import { sqlTables } from "../tables.js"

/** Adds the subnet or chain that a transaction creates, and the change that it makes to a subnet. */
export function addSubnets(context: RowContext, { tx, index, height, time }: TxPlace): void {
  const { rows, texts } = context
  const { unsignedTx } = tx
  if (unsignedTx.kind === "CreateSubnetTx") {
    const { addresses, threshold } = unsignedTx.owner
    rows.add(sqlTables.subnets, {
      subnet_id: texts.id(tx.id),
      height,
      time,
      owner_addresses: addresses.map(texts.address),
      owner_threshold: BigInt(threshold),
    })
  } else if (unsignedTx.kind === "CreateChainTx") {
    const { subnetID, chainName, vmID } = unsignedTx
    const ids = { chain_id: texts.id(tx.id), subnet_id: texts.id(subnetID), vm_id: texts.id(vmID) }
    rows.add(sqlTables.chains, { ...ids, name: chainName, height, time })
  }
  const change = changeOf(unsignedTx, context)
  if (!change || !("subnetID" in unsignedTx)) return
  rows.add(sqlTables.subnet_changes, {
    subnet_id: texts.id(unsignedTx.subnetID),
    height,
    tx_index: index,
    tx_id: texts.id(tx.id),
    time,
    owner_addresses: null,
    owner_threshold: null,
    asset_id: null,
    manager_chain_id: null,
    manager_address: null,
    ...change,
  })
}

type ChangeRow = SqlRow<typeof sqlTables.subnet_changes>

function changeOf(tx: UnsignedTx, { texts }: RowContext): (Pick<ChangeRow, "change"> & Partial<ChangeRow>) | undefined {
  switch (tx.kind) {
    case "TransferSubnetOwnershipTx": {
      const { addresses, threshold } = tx.newOwner
      return { change: "owner", owner_addresses: addresses.map(texts.address), owner_threshold: BigInt(threshold) }
    }
    case "TransformSubnetTx":
      return { change: "elastic", asset_id: texts.id(tx.assetID) }
    case "ConvertSubnetToL1Tx":
      return { change: "l1", manager_chain_id: texts.id(tx.chainID), manager_address: tx.address }
    default:
      return undefined
  }
}
