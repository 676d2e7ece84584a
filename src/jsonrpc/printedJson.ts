import type { JsonWriter, TextFormat } from "../core/codec/schema.js"
import { print, printParts } from "../core/codec/textSink.js"
import type { ChargedPace } from "../core/lib/pace.js"
import type { AnswerRoom } from "./answerRoom.js"

/** JSON that is printed: UTF-8 in one chunk or several. Answers share chunks without copying them. */
export class PrintedJson {
  readonly chunks: readonly Uint8Array[]
  /** The size in bytes. */
  readonly size: number

  constructor(...chunks: readonly Uint8Array[]) {
    this.chunks = chunks
    this.size = chunks.reduce((sum, { length }) => sum + length, 0)
  }

  /** Returns JSON text as bytes. */
  static of(text: string): PrintedJson {
    return new PrintedJson(Buffer.from(text))
  }
}

/** Returns bytes as a text with one character for each byte. */
export function latin1Text(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return buffer.toString("latin1")
}

/** Prints a value by its schema. */
export function printedJson<T, J>(schema: JsonWriter<T, J>, value: T, as: TextFormat): PrintedJson {
  return PrintedJson.of(print(schema, value, as))
}

/** The number of characters that become one chunk. */
const CHUNK = 1 << 18

/**
 * Prints a value by its schema with pauses, so that neither the event loop is held for long nor the whole text is in memory beside its bytes.
 * Throws the errors of `GrowingAnswer.grow`.
 */
export async function printedWithPauses<T, J>(
  schema: JsonWriter<T, J>,
  value: T,
  as: TextFormat,
  room: AnswerRoom,
  pace: ChargedPace,
): Promise<PrintedJson> {
  using answer = room.begin()
  const chunks: Uint8Array[] = []
  let text = ""
  let size = 0
  for (const part of printParts(schema, value, as)) {
    text += part
    if (pace.isDue) await pace.pause()
    if (text.length < CHUNK) continue
    const chunk = Buffer.from(text)
    chunks.push(chunk)
    size += chunk.length
    await answer.grow(size, pace)
    text = ""
  }
  const last = Buffer.from(text)
  await answer.grow(size + last.length, pace)
  return new PrintedJson(...chunks, last)
}
