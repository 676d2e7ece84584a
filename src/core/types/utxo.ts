import { versioned } from "../codec/decode.js"
import { u32 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { Writer } from "../codec/writer.js"
import { typeError } from "./errors.js"
import { type ID, ID_SIZE, id, idOf, idText, parseID } from "./id.js"
import { output } from "./output.js"

/** An output that nobody has spent. */
export const utxo = struct({ txID: id, outputIndex: u32, assetID: id, output })
/** An output that nobody has spent, with the transaction that made it. */
export type Utxo = TypeOf<typeof utxo>

/** A UTXO by itself, as the API and shared memory carry it. */
export const topLevelUtxo = versioned(utxo)

/** An ID made of another one: the hash of a 64-bit number and the ID behind it. AvalancheGo's `ID.Prefix`. */
export function prefixedID(prefix: bigint, id: ID): ID {
  const writer = new Writer(8 + ID_SIZE)
  writer.u64(prefix)
  writer.hex(id, ID_SIZE)
  return idOf(writer.lent())
}

/** The ID a UTXO is kept under: the hash of its index, widened to 64 bits, and its transaction's ID. */
export function utxoID(txID: ID, outputIndex: number): ID {
  return prefixedID(BigInt(outputIndex), txID)
}

/** A UTXO as people name it: `<txID>:<index>`. */
export function utxoReference(txID: ID, outputIndex: number): string {
  return `${idText(txID)}:${outputIndex}`
}

/** Reads a reference of the form `txID:outputIndex`. Throws `types.*`. */
export function parseUtxoReference(text: string): { txID: ID; outputIndex: number } {
  const parts = text.split(":")
  const outputIndex = Number(parts[1])
  if (parts.length !== 2 || !/^\d{1,10}$/.test(parts[1] as string) || outputIndex > 0xffff_ffff) {
    throw typeError("types.bad_utxo_reference", { text })
  }
  return { txID: parseID(parts[0] as string), outputIndex }
}
