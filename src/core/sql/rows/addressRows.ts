import type { Address } from "../../types/address.js"
import type { ID } from "../../types/id.js"
import type { RowContext } from "../rowContext.js"
import { sqlTables } from "../tables.js"
import type { AddressMovement } from "./outputRows.js"

/** The transaction that movements belong to. */
export interface HistoryPlace {
  readonly txID: ID
  readonly kind: string
  readonly height: bigint
  readonly txIndex: number
  /** The time in Unix seconds. */
  readonly time: bigint
}

interface Total {
  readonly address: Address
  readonly assetID: ID
  received: bigint
  sent: bigint
}

/** Adds the amounts that a transaction paid to each address and took from it, by asset. */
export function addAddressHistory({ rows, texts }: RowContext, place: HistoryPlace, movements: readonly AddressMovement[]): void {
  const totals = new Map<string, Total>()
  for (const { addresses, assetID, received, sent } of movements) {
    for (const address of addresses) {
      const key = address + assetID
      const total = totals.get(key) ?? { address, assetID, received: 0n, sent: 0n }
      total.received += received
      total.sent += sent
      totals.set(key, total)
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
