import { concatBytes } from "../lib/bytes.js"
import { readTables } from "../readmodel/tables.js"
import { idOf } from "../types/id.js"
import type { Utxo } from "../types/utxo.js"
import type { RowContext } from "./rowContext.js"
import { addAddressHistory, addOutput, receivedOf } from "./rows/moneyRows.js"
import { sqlTables } from "./tables.js"

/** A change of a private chain's state that no transaction made. */
export interface PublishedOverride {
  /** Its number, from 0. */
  readonly position: bigint
  /** The height of the block after which it was made. */
  readonly height: bigint
  /** The output that it created, if it did. */
  readonly utxo: Utxo | undefined
  /** Its bytes, which identify it. */
  readonly bytes: Uint8Array
}

/** The index of the first override in the history of addresses. The next ones count down from it. */
const FIRST_INDEX = -2

/** Adds the rows of overrides: the overrides themselves, and the outputs that they created. */
export function addOverrides(context: RowContext, overrides: readonly PublishedOverride[]): void {
  for (const { position, height, utxo, bytes } of overrides) {
    context.rows.add(sqlTables.overrides, { position, height, bytes })
    if (!utxo) continue
    addOutput(context, utxo, { height, createdBy: undefined, kind: "override" })
    const time = context.view.get(readTables.blockTimes, height) ?? 0n
    const place = { txID: utxo.txID, kind: "Override", height, txIndex: FIRST_INDEX - Number(position), time }
    addAddressHistory(context, place, [receivedOf(utxo)])
  }
}

/** Returns a hash of overrides; empty if there are none. */
export function overridesID(overrides: readonly Pick<PublishedOverride, "bytes">[]): string {
  return overrides.length === 0 ? "" : idOf(concatBytes(...overrides.map(({ bytes }) => bytes)))
}
