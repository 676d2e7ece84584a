import { MAX_SHORT_DIGITS } from "../../../core/types/base58.js"
import { IDS_AT_ONCE, idTextMakers } from "../../../core/types/idTexts.js"
import { makeTxIDTexts, outputIndexIn, type PackedUtxo } from "../../../core/types/packedUtxo.js"
import { JsonText } from "../../../jsonrpc/printedJson.js"

/** A text that is written often, four bytes at a time. */
class FixedText {
  readonly size: number
  readonly #words: Int32Array

  constructor(text: string) {
    this.size = text.length
    this.#words = new Int32Array(Math.ceil(text.length / 4))
    const view = new DataView(this.#words.buffer)
    for (let i = 0; i < text.length; i++) view.setUint8(i, text.charCodeAt(i))
    for (let i = 0; i < this.#words.length; i++) this.#words[i] = view.getInt32(4 * i, true)
  }

  /** Writes the text at a place. Up to three bytes behind it are overwritten. Returns the place behind it. */
  put(view: DataView, at: number): number {
    for (let i = 0; i < this.#words.length; i++) view.setInt32(at + 4 * i, this.#words[i] as number, true)
    return at + this.size
  }
}

const BEFORE_TX_ID = new FixedText(',{"txID":"')
const BEFORE_INDEX = new FixedText('","outputIndex":')
const END = 0x7d

/** The most bytes of an item: an output index has ten digits at most. */
const MAX_ITEM = BEFORE_TX_ID.size + MAX_SHORT_DIGITS + BEFORE_INDEX.size + 10 + 1

/** Number of items that are printed before they become a text. It is a multiple of `IDS_AT_ONCE`. */
const AT_ONCE = 512

// The items that are printed at present. A new buffer for each list would take a tenth of the time of a short one.
const buffer = Buffer.allocUnsafeSlow(AT_ONCE * MAX_ITEM)
const view = new DataView(buffer.buffer)

/**
 * Prints the transaction ID and output index of UTXOs as a JSON list. A balance names every UTXO of an address, and this takes a fifth of the
 * time of printing by the schema.
 */
export class UtxoIDList {
  /** The list without its end. */
  #text = ""

  add(utxos: readonly PackedUtxo[]): void {
    for (let i = 0; i < utxos.length; i += AT_ONCE) {
      const items = printed(utxos, i, Math.min(i + AT_ONCE, utxos.length))
      this.#text += this.isEmpty ? `[${items.slice(1)}` : items
    }
  }

  /** The size of the list, bytes. */
  get size(): number {
    return this.#text.length
  }

  get isEmpty(): boolean {
    return this.size === 0
  }

  /** The list as JSON. */
  json(): JsonText {
    return new JsonText(this.isEmpty ? "[]" : `${this.#text}]`)
  }
}

/** Prints the items of UTXOs from one index up to another, with a comma in front of each. */
function printed(utxos: readonly PackedUtxo[], from: number, to: number): string {
  const texts = idTextMakers.next()
  let at = 0
  for (let i = from; i < to; i++) {
    const index = (i - from) % IDS_AT_ONCE
    if (index === 0) makeTxIDTexts(utxos, i, texts)
    at = BEFORE_TX_ID.put(view, at)
    at = texts.put(index, view, at)
    at = BEFORE_INDEX.put(view, at)
    at = putNumber(outputIndexIn(utxos[i] as PackedUtxo), at)
    view.setUint8(at++, END)
  }
  return buffer.toString("latin1", 0, at)
}

function putNumber(value: number, at: number): number {
  const digits = String(value)
  for (let i = 0; i < digits.length; i++) view.setUint8(at + i, digits.charCodeAt(i))
  return at + digits.length
}
