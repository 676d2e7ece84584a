import { Invalid, valueOrUndefined } from "../lib/invalid.js"
import type { Pace } from "../lib/pace.js"
import { Reader, Trace } from "./reader.js"
import type { Codec } from "./schema.js"
import { Writer } from "./writer.js"

/** The only codec version. */
export const CODEC_VERSION = 0

/** Makes the codec of a top-level value: two bytes of codec version, then the value. */
export function versioned<T, J>(codec: Codec<T, J>): Codec<T, J> {
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

/** Limits of the bytes that are decoded. */
export interface Limits {
  readonly maxSize?: number
}

/** Decodes all of these bytes to a value. Throws `codec.*` with the path and offset of the fault. */
export function decode<T>(codec: Codec<T>, bytes: Uint8Array, options: Limits = {}): T {
  try {
    return decodeUnlocated(codec, bytes, options)
  } catch (error) {
    throw locatedFault(codec, bytes, error)
  }
}

/** Decodes all of these bytes to a value; `undefined` if they are not one. The place of the fault is not searched. */
export function decodeOrUndefined<T>(codec: Codec<T>, bytes: Uint8Array, options: Limits = {}): T | undefined {
  return valueOrUndefined(() => decodeUnlocated(codec, bytes, options))
}

/** Decodes with a pause before it finds the place of a fault, which takes as long as decoding. */
export async function decodeWithPause<T>(codec: Codec<T>, bytes: Uint8Array, options: Limits, pace: Pace): Promise<T> {
  try {
    return decodeUnlocated(codec, bytes, options)
  } catch (error) {
    if (pace.isDue) await pace.pause()
    throw locatedFault(codec, bytes, error)
  }
}

/** Decodes. Throws `codec.*` without the path of the fault. */
function decodeUnlocated<T>(codec: Codec<T>, bytes: Uint8Array, { maxSize }: Limits): T {
  const reader = new Reader(bytes)
  if (maxSize !== undefined && bytes.length > maxSize) {
    throw reader.fail("codec.too_large", { size: bytes.length, limit: maxSize })
  }
  const value = codec.read(reader)
  reader.end()
  return value
}

/** Decodes again with a trace and returns the same refusal with its path. Fast decoding does not record paths. */
function locatedFault<T>(codec: Codec<T>, bytes: Uint8Array, error: unknown): unknown {
  if (!(error instanceof Invalid) || error.code === "codec.too_large") return error
  const reader = new Reader(bytes, new Trace())
  try {
    codec.read(reader)
    reader.end()
  } catch (located) {
    if (located instanceof Invalid) return located
  }
  return error
}

/** Writes a value as the bytes of its codec. `size` is the expected number of bytes, if it is large. */
export function encode<T>(codec: Codec<T>, value: T, size?: number): Uint8Array {
  const writer = new Writer(size)
  codec.write(writer, value)
  return writer.done()
}

/** One field of encoded bytes: its path, its start and its end. */
export interface Span {
  readonly path: string
  readonly start: number
  readonly end: number
}

/** Returns every field of these bytes in their order, to show bytes to people. Throws like `decode`. */
export function spansOf<T>(codec: Codec<T>, bytes: Uint8Array): Span[] {
  const spans: Span[] = []
  const reader = new Reader(bytes, new Trace((path, start, end) => spans.push({ path, start, end })))
  codec.read(reader)
  reader.end()
  return spans
}
