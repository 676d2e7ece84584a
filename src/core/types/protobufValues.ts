import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf"
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire"

/**
 * Returns whether a protobuf message has at most this many values, without decoding it. Each value takes memory when it is decoded, also if it
 * is empty. Malformed bytes end the count.
 */
export function hasFewValues(schema: DescMessage, bytes: Uint8Array, limit: number): boolean {
  const reader = new BinaryReader(bytes)
  let left = limit
  const count = ({ fields }: DescMessage, end: number): void => {
    while (reader.pos < end && left >= 0) {
      const [number, wireType] = reader.tag()
      left--
      if (wireType !== WireType.LengthDelimited) reader.skip(wireType, number)
      else {
        const next = reader.uint32() + reader.pos
        const field = fields.find((each) => each.number === number)
        if (field?.message) count(field.message, Math.min(next, end))
        else if (field && isPacked(field)) left -= next - reader.pos
        reader.pos = next
      }
    }
  }
  try {
    count(schema, bytes.length)
  } catch {
    // The library throws errors of its own for malformed bytes.
  }
  return left >= 0
}

/** Returns whether one length-delimited field contains many numbers, of at least one byte each. */
function isPacked(field: DescField): boolean {
  return (
    field.fieldKind === "list" &&
    field.scalar !== undefined &&
    field.scalar !== ScalarType.BYTES &&
    field.scalar !== ScalarType.STRING
  )
}
