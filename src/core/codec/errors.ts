import { type Invalid, type RefusalData, refusals } from "../lib/invalid.js"

const insufficient = "packer has insufficient length for input"
const MAX_COUNT = 0x7fff_ffff

/** A count of more than 31 bits is refused for itself; a smaller one when the bytes end. */
const countText = ({ length, reference }: RefusalData): string =>
  Number(length) > MAX_COUNT
    ? `max slice length exceeded; array length, ${length}, exceeds maximum length, ${MAX_COUNT}`
    : String(reference ?? insufficient)

/** Refusals of bytes or JSON that do not decode. Their data has the `path` and `offset` of the field, and the value found there. */
export const codecError = refusals({
  "codec.truncated": { sentence: "the bytes end before the value does", avalanchegoMessage: insufficient },
  "codec.no_version": {
    sentence: "the bytes end before the codec version does",
    avalanchegoMessage: "couldn't unpack codec version",
  },
  "codec.trailing": {
    sentence: "bytes follow the end of the value",
    avalanchegoMessage: ({ read, provided }) => `trailing buffer space: read ${read} provided ${provided}`,
  },
  "codec.unknown_version": { sentence: "the codec version is not 0", avalanchegoMessage: "unknown codec version" },
  "codec.unknown_type": { sentence: "no type has this type ID", avalanchegoMessage: ({ typeID }) => `unknown type ID ${typeID}` },
  "codec.misplaced_type": {
    sentence: "the type with this ID is not allowed here",
    avalanchegoMessage: ({ typeName, place }) => `${typeName} does not implement interface ${place}`,
  },
  "codec.nested_type": {
    sentence: "a type cannot be nested in itself",
    avalanchegoMessage: ({ typeName }) => `recursive interface types: ${typeName}`,
  },
  "codec.list_too_long": {
    sentence: "the list has a count of more items than the remaining bytes can hold",
    avalanchegoMessage: countText,
  },
  "codec.bytes_too_long": { sentence: "the byte string claims more bytes than are left", avalanchegoMessage: countText },
  "codec.bad_count": "the count of an optional value is neither 0 nor 1",
  "codec.bad_bool": { sentence: "the boolean is neither 0 nor 1", avalanchegoMessage: "unexpected value when unpacking bool" },
  "codec.too_large": {
    sentence: "the value is larger than its codec allows",
    avalanchegoMessage: ({ size, limit }) => `byte array exceeds maximum length: ${size} > ${limit}`,
  },
  "codec.bad_json": "the JSON does not describe this value",
  "codec.missing_member": "a member is missing",
  "codec.unknown_member": "a member is not known",
  "codec.ambiguous_json": "the JSON fits several kinds: name the kind",
})

/** Returns AvalancheGo's message for a refusal of bytes, with its prefix that names the value. */
export function unmarshalText(error: Invalid): string {
  const reading = readingOf(error)
  return reading === undefined ? error.avalanchegoMessage : `couldn't unmarshal ${reading}: ${error.avalanchegoMessage}`
}

/** Returns AvalancheGo's prefix of the message of a refusal, if it has one. */
export function readingOf({ code, data }: Invalid): unknown {
  switch (code) {
    case "codec.unknown_type":
    case "codec.misplaced_type":
      return "interface"
    case "codec.bad_bool":
      return "bool"
    default:
      return data.reading
  }
}
