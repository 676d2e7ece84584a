import { printerOf, printInSteps } from "../core/codec/print.js"
import type { JsonWriter, TextFormat } from "../core/codec/schema.js"
import { isWork, type Work } from "../core/lib/work.js"
import type { AnswerRoom, GrowingAnswer } from "./answerRoom.js"

/** JSON as text, or as bytes in one piece or several. */
export type JsonPieces = string | readonly Uint8Array[]

/** The maximum length of a text that is sent before it is turned into bytes. */
const SHORT_TEXT = 1 << 16

/**
 * A result that is already JSON text in UTF-8, in one piece or several. Results share pieces without copying them. This is for cached
 * results, and for the few results that are printed faster than their schema prints them.
 */
export class PrintedJson {
  #json: JsonPieces
  #wasSent = false

  constructor(...pieces: readonly Uint8Array[]) {
    this.#json = pieces
  }

  /** Makes a result of a text. */
  static ofText(text: string): PrintedJson {
    const printed = new PrintedJson()
    printed.#json = text.length <= SHORT_TEXT ? text : [Buffer.from(text)]
    return printed
  }

  /** The result as bytes. */
  get pieces(): readonly Uint8Array[] {
    if (typeof this.#json === "string") this.#json = [Buffer.from(this.#json)]
    return this.#json
  }

  /** The size in bytes, at two bytes per character of a text. */
  get size(): number {
    return typeof this.#json === "string" ? 2 * this.#json.length : sizeOf(this.#json)
  }

  /**
   * Returns the JSON for an answer. A text is returned once: it is sent without being copied, and most results are sent once. A result that is
   * sent again is cached, and becomes bytes.
   */
  toSend(): JsonPieces {
    if (typeof this.#json !== "string" || this.#wasSent) return this.pieces
    this.#wasSent = true
    return this.#json
  }
}

const sizeOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

/** A member of a result as JSON text, where a handler prints it faster than its schema would. Its schema is `prePrinted`. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Prints a value by its schema, to be stored. */
export function printedJson<T, J>(schema: JsonWriter<T, J>, value: T, as: TextFormat): PrintedJson {
  return PrintedJson.ofText(printerOf(schema)(value, as))
}

/** Prints a value by its schema in steps, to be stored. */
export function* printedJsonInSteps<T, J>(schema: JsonWriter<T, J>, value: T, as: TextFormat): Work<PrintedJson> {
  const text = printInSteps(schema, value, as)
  return PrintedJson.ofText(isWork(text) ? yield* text : text)
}

/**
 * The number of characters after which a text becomes a piece of its own, because converting megabytes of text to bytes at once takes long.
 */
const PIECE = 1 << 18

/**
 * Prints a result whose only member is a list, in steps and in pieces, so that neither all values nor all texts are in memory at once.
 * Throws the errors of `GrowingAnswer.grow`.
 */
export function* printedListInSteps<T, J>(
  name: string,
  item: JsonWriter<T, J>,
  values: Iterable<T>,
  { as, room }: { readonly as: TextFormat; readonly room: AnswerRoom },
): Work<PrintedJson> {
  using answer = room.begin()
  const pieces: Uint8Array[] = []
  let text = `{${JSON.stringify(name)}:[`
  let [size, count] = [0, 0]
  for (const value of values) {
    const printed = printInSteps(item, value, as)
    if (count++ > 0) text += ","
    text += isWork(printed) ? yield* printed : printed
    yield
    if (text.length < PIECE) continue
    const piece = Buffer.from(text)
    pieces.push(piece)
    size += piece.length
    yield* answer.grow(size)
    text = ""
  }
  return new PrintedJson(...pieces, Buffer.from(`${text}]}`))
}

/** Prints a list by the schema of its items in steps, so that other calls can run between them. The list is a part of `answer`. */
export function* listText<T, J>(
  item: JsonWriter<T, J>,
  values: Iterable<T>,
  { as, atOnce, answer }: { readonly as: TextFormat; readonly atOnce: number; readonly answer: GrowingAnswer },
): Work<JsonText> {
  const print = printerOf(item)
  let text = ""
  let count = 0
  for (const value of values) {
    text += count === 0 ? print(value, as) : `,${print(value, as)}`
    if (++count % atOnce > 0) continue
    yield* answer.grow(text.length)
    yield
  }
  return new JsonText(`[${text}]`)
}
