import { Invalid } from "../lib/invalid.js"
import { codecError, readingOf } from "./errors.js"
import type { Reader } from "./reader.js"
import { type Codec, inside } from "./schema.js"

/** The number of items from which on hex is joined and written at once: 47,000 addresses in 4 instead of 25 ms. */
const MANY = 64

/** Makes the codec of a list: a 4-byte count, then the items. In JSON it is an array; `null` is read as the empty list. */
export function list<T, J>(item: Codec<T, J>): Codec<readonly T[], readonly J[]> {
  // With items of no bytes, four bytes could claim four billion of them.
  if (item.minSize === 0) throw new Error("a list's items must take at least one byte")
  return {
    minSize: 4,
    composite: true,
    jsonSchema: { type: "array", items: item.jsonSchema },
    read(r) {
      const start = r.offset
      const length = countOf(r)
      // The length comes from untrusted bytes, so an impossible one is refused before memory is allocated.
      if (length * item.minSize > r.left) throw tooLong(r, item, start, length)
      const { trace } = r
      const out: T[] = []
      if (!trace) {
        for (let i = 0; i < length; i++) out.push(item.read(r))
        return out
      }
      trace.leaf(start, r.offset, "length")
      for (let i = 0; i < length; i++) out.push(trace.part(r, item, i))
      return out
    },
    write(w, value) {
      w.u32(value.length)
      if (item.hexSize && value.length > MANY) w.hex(value.join(""), item.hexSize * value.length)
      else for (const each of value) item.write(w, each)
    },
    writeJson: (sink, value, as) => sink.list(item, value, as),
    fromJson(json, as, path) {
      if (json === null) return []
      if (!Array.isArray(json)) throw codecError("codec.bad_json", { path: path ?? "", expected: "an array" })
      return json.map((each, i) => item.fromJson(each, as, inside(path, i)))
    },
  }
}

/** Reads the 4 bytes with the number of items or bytes that follow. */
export function countOf(r: Reader): number {
  if (r.left < 4) throw r.fail("codec.truncated", { wanted: 4, left: r.left, reading: "slice" })
  return r.u32()
}

/** AvalancheGo trusts such a length and fails at some item. Its message is that of the first item at which it fails. */
function tooLong<T, J>(r: Reader, item: Codec<T, J>, start: number, length: number): Invalid {
  const refusal = r.fail("codec.list_too_long", { offset: start, length, left: r.left })
  if (!r.trace || length > 0x7fff_ffff) return refusal
  try {
    for (;;) item.read(r)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const reading = readingOf(error)
    const stumble = reading === undefined ? {} : { reading }
    return codecError("codec.list_too_long", { ...refusal.data, reference: error.avalanchegoMessage, ...stumble })
  }
}
