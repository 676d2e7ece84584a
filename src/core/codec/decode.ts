import { Invalid } from "../lib/invalid.js"
import { Reader, Trace } from "./reader.js"
import type { Codec } from "./schema.js"
import { Writer } from "./writer.js"

/** The only codec version there is. */
export const CODEC_VERSION = 0

/** A top-level value: two bytes of codec version, then the value. */
export function versioned<T>(codec: Codec<T>): Codec<T> {
  return {
    ...codec,
    minSize: 2 + codec.minSize,
    read(r) {
      if (r.left < 2) throw r.fail("codec.no_version", { wanted: 2, left: r.left })
      const start = r.offset
      const version = r.u16()
      if (version !== CODEC_VERSION) {
        r.offset = start
        throw r.fail("codec.unknown_version", { version })
      }
      r.trace?.leaf(start, r.offset, "version")
      return codec.read(r)
    },
    write(w, value) {
      w.u16(CODEC_VERSION)
      codec.write(w, value)
    },
  }
}

/** What a value's bytes may not exceed. */
export interface Limits {
  readonly maxSize?: number
}

/** The value that these bytes are, all of them. Throws `codec.*` with the path and offset of what is wrong. */
export function decode<T>(codec: Codec<T>, bytes: Uint8Array, { maxSize }: Limits = {}): T {
  const reader = new Reader(bytes)
  if (maxSize !== undefined && bytes.length > maxSize) {
    throw reader.fail("codec.too_large", { size: bytes.length, limit: maxSize })
  }
  try {
    const value = codec.read(reader)
    reader.end()
    return value
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw located(codec, bytes) ?? error
  }
}

/** The same refusal, found once more with the path noted: reading fast and knowing where are two different walks. */
function located<T>(codec: Codec<T>, bytes: Uint8Array): Invalid | undefined {
  const reader = new Reader(bytes, new Trace())
  try {
    codec.read(reader)
    reader.end()
  } catch (error) {
    if (error instanceof Invalid) return error
  }
  return undefined
}

export function encode<T>(codec: Codec<T>, value: T): Uint8Array {
  const writer = new Writer()
  codec.write(writer, value)
  return writer.done()
}

/** One field of encoded bytes: its path, where it starts and ends. */
export interface Span {
  readonly path: string
  readonly start: number
  readonly end: number
}

/** Every field of these bytes in their order, for people who read bytes. Throws like `decode`. */
export function spansOf<T>(codec: Codec<T>, bytes: Uint8Array): Span[] {
  const spans: Span[] = []
  const reader = new Reader(bytes, new Trace((path, start, end) => spans.push({ path, start, end })))
  codec.read(reader)
  reader.end()
  return spans
}
