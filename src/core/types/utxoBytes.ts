import { Buffer } from "node:buffer"
import { decode, encode } from "../codec/decode.js"
import type { Codec } from "../codec/schema.js"
import { concatBytes } from "../lib/bytes.js"
import { CHECKSUM_SIZE, checksumOf, toCb58 } from "./cb58.js"
import { type ID, ID_SIZE } from "./id.js"
import { lockOut, unlocked } from "./output.js"
import { topLevelUtxo, type Utxo } from "./utxo.js"

/**
 * A UTXO as wallets and nodes exchange it: codec version, UTXO, and the checksum of both. An index that lists these bytes saves its readers
 * the encoding and the hash (a page of 100 in 35 instead of 88 µs).
 */
export const utxoBytes: Codec<Uint8Array> = {
  minSize: topLevelUtxo.minSize + CHECKSUM_SIZE,
  jsonSchema: { type: "string", pattern: "^0x([0-9a-f]{2})*$" },
  read: (r) => r.sharedBytes(r.left),
  write: (w, value) => w.bytes(value),
  toJson: (value, as) => topLevelUtxo.toJson(utxoIn(value), as),
  fromJson: (json, as, path) => utxoBytesOf(topLevelUtxo.fromJson(json, as, path)),
}

/** Encodes a UTXO with its checksum. */
export const utxoBytesOf = (utxo: Utxo): Uint8Array => withChecksum(encode(topLevelUtxo, utxo))

/** Puts the checksum behind the bytes of a UTXO that come from elsewhere. */
export const withChecksum = (bytes: Uint8Array): Uint8Array => concatBytes(bytes, checksumOf(bytes))

/** Decodes a UTXO; the checksum is ours and not verified. */
export const utxoIn = (bytes: Uint8Array): Utxo => decode(topLevelUtxo, bytes.subarray(0, -CHECKSUM_SIZE))

/** The bytes without the checksum. */
export const withoutUtxoChecksum = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, -CHECKSUM_SIZE)

/** An amount of an asset and the times until which it is locked (Unix seconds; 0: never was). */
export interface LockedAmount {
  readonly assetID: ID
  readonly amount: bigint
  /** Until then it cannot be spent at all. */
  readonly locktime: bigint
  /** Until then it can only be staked. */
  readonly stakeableLocktime: bigint
}

/** The amount of a UTXO with its locks. */
export function amountOf({ assetID, output }: Pick<Utxo, "assetID" | "output">): LockedAmount {
  const { amount, locktime } = unlocked(output)
  return { assetID, amount, locktime, stakeableLocktime: output.kind === "LockOut" ? output.locktime : 0n }
}

// Where the fields of a UTXO begin. A balance adds up thousands of UTXOs, and reading these fields takes a third of the time of decoding
// the whole UTXO. `amountOf` and `utxo` are the test.
const TX_ID = 2
const OUTPUT_INDEX = TX_ID + ID_SIZE
const ASSET_ID = OUTPUT_INDEX + 4
const OUTPUT = ASSET_ID + ID_SIZE
const TYPE_ID_SIZE = 4

/** Reads the amount of a UTXO with its locks from its bytes. */
export function amountIn(bytes: Uint8Array): LockedAmount {
  const buffer = asBuffer(bytes)
  const isLocked = buffer.readUInt32BE(OUTPUT) === lockOut.typeID
  const at = OUTPUT + TYPE_ID_SIZE + (isLocked ? 8 + TYPE_ID_SIZE : 0)
  return {
    assetID: buffer.toString("hex", ASSET_ID, OUTPUT) as ID,
    amount: buffer.readBigUInt64BE(at),
    locktime: buffer.readBigUInt64BE(at + 8),
    stakeableLocktime: isLocked ? buffer.readBigUInt64BE(OUTPUT + TYPE_ID_SIZE) : 0n,
  }
}

/** The transaction ID of a UTXO in cb58, from its bytes. */
export const txIDTextIn = (bytes: Uint8Array): string => toCb58(bytes.subarray(TX_ID, OUTPUT_INDEX))

/** The output index of a UTXO, from its bytes. */
export const outputIndexIn = (bytes: Uint8Array): number => asBuffer(bytes).readUInt32BE(OUTPUT_INDEX)

function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
