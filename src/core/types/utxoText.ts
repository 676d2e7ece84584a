import { CODEC_VERSION } from "../codec/decode.js"
import type { Codec } from "../codec/schema.js"
import { sha256Hex } from "../crypto/hash.js"
import { hexToBytes } from "../lib/bytes.js"
import { ADDRESS_SIZE, type Address } from "./address.js"
import type { Branded } from "./brand.js"
import { CHECKSUM_SIZE } from "./cb58.js"
import { type ID, ID_SIZE, idText } from "./id.js"
import { lockOut, transferOutput, unlocked } from "./output.js"
import { type Utxo, utxoID } from "./utxo.js"

/**
 * A UTXO as answers show it: its transaction in cb58, with spaces behind up to a fixed width, then in hex without `0x` what the API
 * carries, which is codec version, UTXO and checksum. One flat string, since who asks for a hundred waits for memory more than for
 * anything else.
 */
export type UtxoText = Branded<"UtxoText">

/** Such a text as a row: all the bytes there are, a character each. */
export const utxoText: Codec<UtxoText> = {
  minSize: 0,
  jsonSchema: { type: "string" },
  read: (r) => r.latin1(r.left) as UtxoText,
  write: (w, value) => w.latin1(value),
  toJson: (value) => value,
  fromJson: (json) => String(json) as UtxoText,
}

/**
 * A UTXO as text. Takes some 3 µs, which is what texts are kept for. The hex is put together as such, in half the time of the codec's
 * bytes: all that is long in it is hex already. Its test is the codec.
 */
export function utxoTextOf({ txID, outputIndex, assetID, output }: Utxo): UtxoText {
  const { amount, locktime, threshold, addresses } = unlocked(output)
  const lock = output.kind === "LockOut" ? u32Hex(lockOut.typeID) + u64Hex(output.locktime) : ""
  const head = [VERSION, txID, u32Hex(outputIndex), assetID, lock, u32Hex(transferOutput.typeID), u64Hex(amount)]
  // Joined, and not added up: a sum would stay in pieces until somebody reads it.
  const hex = [...head, u64Hex(locktime), u32Hex(threshold), u32Hex(addresses.length), ...addresses].join("")
  return [idText(txID).padEnd(HEX), hex, sha256Hex(hexToBytes(hex)).slice(-CHECKSUM_DIGITS)].join("") as UtxoText
}

const u32Hex = (value: number): string => value.toString(16).padStart(U32_DIGITS, "0")
const u64Hex = (value: bigint): string => value.toString(16).padStart(U64_DIGITS, "0")
const VERSION = CODEC_VERSION.toString(16).padStart(4, "0")

/** Where the hex begins: an ID and its checksum have at most 50 digits in cb58. */
const HEX = 50

const CHECKSUM_DIGITS = 2 * CHECKSUM_SIZE
const ID_DIGITS = 2 * ID_SIZE
const ADDRESS_DIGITS = 2 * ADDRESS_SIZE
const U32_DIGITS = 8
const U64_DIGITS = 16

// Where everything stands. All but the owners' number has a fixed size; a stakeable lock is a type ID and a time in front.
const TX_ID = HEX + 4
const OUTPUT_INDEX = TX_ID + ID_DIGITS
const ASSET_ID = OUTPUT_INDEX + U32_DIGITS
const OUTPUT = ASSET_ID + ID_DIGITS
const LOCK_DIGITS = U32_DIGITS + U64_DIGITS
const AMOUNT = U32_DIGITS
const LOCKTIME = AMOUNT + U64_DIGITS
const ADDRESS_COUNT = LOCKTIME + U64_DIGITS + U32_DIGITS
const ADDRESSES = ADDRESS_COUNT + U32_DIGITS

/** The transaction in cb58. */
export function txIDIn(text: UtxoText): string {
  let end = HEX
  while (text.charCodeAt(end - 1) === 0x20) end--
  return text.slice(0, end)
}

/** Codec version, UTXO and checksum as hex without `0x`. */
export const hexIn = (text: UtxoText): string => text.slice(HEX)

/** The same without the checksum. */
export const uncheckedHexIn = (text: UtxoText): string => text.slice(HEX, -CHECKSUM_DIGITS)

export const outputIndexIn = (text: UtxoText): number => u32At(text, OUTPUT_INDEX)

/** The ID that the UTXO is kept under; the text tells it only by what it is the hash of. */
export const utxoIDIn = (text: UtxoText): ID => utxoID(text.slice(TX_ID, OUTPUT_INDEX) as ID, outputIndexIn(text))

export const assetIDIn = (text: UtxoText): ID => text.slice(ASSET_ID, OUTPUT) as ID

/** What a sum needs to know of a UTXO. Times are Unix seconds; one that a number does not hold is some hundred million years away. */
export interface Coin {
  /** The upper and the lower 32 bits of the amount, nAVAX: together they are a number that need not be exact. */
  readonly high: number
  readonly low: number
  /** The owners' lock; 0: none. */
  readonly locktime: number
  /** Until when it can only be staked; 0: no such lock. */
  readonly stakeableLocktime: number
}

export function coinIn(text: UtxoText): Coin {
  const at = transferIn(text)
  return {
    high: u32At(text, at + AMOUNT),
    low: u32At(text, at + AMOUNT + U32_DIGITS),
    locktime: u64At(text, at + LOCKTIME),
    stakeableLocktime: at === OUTPUT ? 0 : u64At(text, OUTPUT + U32_DIGITS),
  }
}

/** The owners, in their order. */
export function addressesIn(text: UtxoText): Address[] {
  const transfer = transferIn(text)
  const count = u32At(text, transfer + ADDRESS_COUNT)
  return Array.from({ length: count }, (_, i) => {
    const at = transfer + ADDRESSES + i * ADDRESS_DIGITS
    return text.slice(at, at + ADDRESS_DIGITS) as Address
  })
}

/** Where the output itself begins, behind the lock that may be around it. */
const transferIn = (text: UtxoText): number => (u32At(text, OUTPUT) === lockOut.typeID ? OUTPUT + LOCK_DIGITS : OUTPUT)

const u64At = (text: string, at: number): number => u32At(text, at) * 2 ** 32 + u32At(text, at + U32_DIGITS)

/** Digit by digit: no string is made, which parsing would need. A letter's code has bit 6, and is nine behind its value. */
function u32At(text: string, at: number): number {
  let value = 0
  for (let i = at; i < at + U32_DIGITS; i++) {
    const code = text.charCodeAt(i)
    value = (value << 4) | ((code & 0xf) + 9 * (code >> 6))
  }
  return value >>> 0
}
