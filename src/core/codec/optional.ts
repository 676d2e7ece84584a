import { countOf } from "./list.js"
import type { Codec } from "./schema.js"

/** Makes the codec of a value that may be absent: a 4-byte count of 0 or 1, then the value. In JSON an absent value is `null`. */
export function optional<T, J>(item: Codec<T, J>): Codec<T | undefined, J | null> {
  return {
    minSize: 4,
    composite: true,
    jsonSchema: { anyOf: [item.jsonSchema, { type: "null" }] },
    read(r) {
      const start = r.offset
      const count = countOf(r)
      if (count > 1) throw r.fail("codec.bad_count", { offset: start, count })
      r.trace?.leaf(start, r.offset, "count")
      if (count === 0) return undefined
      return r.trace ? r.trace.part(r, item) : item.read(r)
    },
    write(w, value) {
      w.u32(value === undefined ? 0 : 1)
      if (value !== undefined) item.write(w, value)
    },
    writeJson: (sink, value, as) => (value === undefined ? sink.json(null) : item.writeJson(sink, value, as)),
    fromJson: (json, as, path) => (json === null || json === undefined ? undefined : item.fromJson(json, as, path)),
  }
}
