import { printerOf } from "../core/codec/print.js"
import type { Output, Spelling } from "../core/codec/schema.js"

/**
 * A result that is already JSON text in UTF-8, in one piece or several: those that results have in common are not copied. For results
 * that are kept, and for the few whose printer is faster than their schema's.
 */
export class PrintedJson {
  readonly pieces: readonly Uint8Array[]

  constructor(...pieces: readonly Uint8Array[]) {
    this.pieces = pieces
  }

  /** Bytes. */
  get size(): number {
    return this.pieces.reduce((sum, { length }) => sum + length, 0)
  }
}

/** Prints a value by its schema, to be kept. */
export function printedJson<T, J>(schema: Output<T, J>, value: T, as: Spelling): PrintedJson {
  return new PrintedJson(Buffer.from(printerOf(schema)(value, as)))
}
