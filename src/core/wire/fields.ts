import type { Span } from "../codec/decode.js"
import type { TextFormat } from "../codec/schema.js"
import type { Json } from "../lib/json.js"
import { type DecodedValue, typeIDOf } from "./wireType.js"

/** One field of encoded bytes, and its value if it is one number or text. */
export interface Field extends Span {
  readonly value?: Json
}

/**
 * Returns every field of a structure in the order of the bytes, including those of structures inside it. For a field that contains a block
 * or a message, its length comes first and then its own fields.
 */
export function fieldsOf(found: DecodedValue, as: TextFormat): Field[] {
  const inside = new Map(found.inside().map((each) => [each.path, each.found]))
  const json = found.toJson(as)
  return found.spans().flatMap((span) => {
    const inner = inside.get(span.path)
    if (span.path.endsWith("typeID")) return [{ ...span, value: typeIDOf(found.bytes, span.start) }]
    if (!inner) return [withValue(span, json)]
    const start = span.end - inner.bytes.length
    const shifted = fieldsOf(inner, as).map((field) => ({
      ...field,
      path: `${span.path}.${field.path}`,
      start: field.start + start,
      end: field.end + start,
    }))
    return [{ path: `${span.path}.length`, start: span.start, end: start, value: inner.bytes.length }, ...shifted]
  })
}

/** Paths of bytes are also paths of JSON, except for versions, type IDs and lengths, which JSON does not have. */
function withValue(span: Span, json: Json): Field {
  let value: Json | undefined = json
  for (const name of span.path.split(".")) {
    const isHolder: boolean = typeof value === "object" && value !== null && Object.hasOwn(value, name)
    value = isHolder ? (value as { readonly [key: string]: Json })[name] : undefined
  }
  // Bytes are shown as hex already.
  const isPlain = typeof value === "number" || typeof value === "bigint" || typeof value === "boolean"
  return isPlain || (typeof value === "string" && !value.startsWith("0x")) ? { ...span, value: value as Json } : span
}
