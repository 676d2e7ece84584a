import { concatBytes } from "../lib/bytes.js"
import { readTables } from "../readmodel/tables.js"
import { idOf } from "../types/id.js"
import type { Utxo } from "../types/utxo.js"
import type { RowContext } from "./rowContext.js"
import { addAddressHistory } from "./rows/addressRows.js"
import { addOutput, receivedOf } from "./rows/outputRows.js"

/** A change of a private chain's state that no transaction made. */
export interface PublishedOverride {
  /** The height of the block after which it was made. */
  readonly height: bigint
  /** The output that it created, if it did. */
  readonly utxo: Utxo | undefined
  /** Its bytes, which identify it. */
  readonly bytes: Uint8Array
}

/** The index of the first override in the history of addresses. The next ones count down from it. */
const FIRST_INDEX = -2

/** Adds the outputs of overrides; `first` is the number of earlier overrides. */
export function addOverrides(context: RowContext, overrides: readonly PublishedOverride[], first: number): void {
  for (const [i, { height, utxo }] of overrides.entries()) {
    if (!utxo) continue
    addOutput(context, utxo, { height, createdBy: undefined, kind: "override" })
    const time = context.view.get(readTables.blockTimes, height) ?? 0n
    const place = { txID: utxo.txID, kind: "Override", height, txIndex: FIRST_INDEX - first - i, time }
    addAddressHistory(context, place, [receivedOf(utxo)])
  }
}

/** Returns a hash of overrides; empty if there are none. */
export function overridesID(overrides: readonly PublishedOverride[]): string {
  return overrides.length === 0 ? "" : idOf(concatBytes(...overrides.map(({ bytes }) => bytes)))
}

/** Returns the statements that remove the rows of all overrides. */
export const removeOverrides = (schema: string): readonly string[] => [
  `delete from ${schema}.outputs where kind = 'override'`,
  `delete from ${schema}.address_history where tx_index <= ${FIRST_INDEX}`,
]
