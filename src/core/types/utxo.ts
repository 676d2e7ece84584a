import { decode, versioned } from "../codec/decode.js"
import { u32 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { sha256Hex } from "../crypto/hash.js"
import { writeHex } from "../lib/bytes.js"
import { typeError } from "./errors.js"
import { type ID, ID_SIZE, id, idText, parseID } from "./id.js"
import { output } from "./output.js"

/** An unspent output. */
export const utxo = struct({ txID: id, outputIndex: u32, assetID: id, output })
/** An unspent output, with the transaction that made it. */
export type Utxo = TypeOf<typeof utxo>

/** A UTXO by itself, as in the API and in shared memory. */
export const topLevelUtxo = versioned(utxo)

/** Decodes a UTXO as `platform.getUTXOs` returns it. Throws `codec.*`. */
export function decodeUtxo(bytes: Uint8Array): Utxo {
  return decode(topLevelUtxo, bytes)
}

/** Derives an ID from another one: the hash of a 64-bit number and the ID. AvalancheGo's `ID.Prefix`. */
export function prefixedID(prefix: number | bigint, id: ID, hash = sha256Hex): ID {
  const bytes = new Uint8Array(8 + ID_SIZE)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(prefix))
  writeHex(id, bytes, 8)
  return hash(bytes) as ID
}

/** Returns the ID of a UTXO: the hash of its index, widened to 64 bits, and its transaction's ID. */
export function utxoID(txID: ID, outputIndex: number, hash = sha256Hex): ID {
  return prefixedID(outputIndex, txID, hash)
}

/** Prints the reference of a UTXO: `<txID>:<index>`. */
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
