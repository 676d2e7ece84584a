import { bytes } from "../core/codec/primitives.js"
import type { JsonSchema, JsonWriter, Schema } from "../core/codec/schema.js"
import { BOUND_FORMS, type ChainBound, readBound } from "../core/lib/chainBound.js"
import type { Json } from "../core/lib/json.js"
import { MAX64 } from "../core/lib/math64.js"
import * as address from "../core/types/address.js"
import { type Encoding, parseEncoding, toHexText } from "../core/types/hexText.js"
import * as ids from "../core/types/id.js"
import { described, textParam } from "../jsonrpc/schema/kinds.js"
import { digitsOf, digitsSchema, u64 } from "../jsonrpc/schema/numbers.js"
import { textOutput } from "../jsonrpc/schema/outputs.js"
import { badParam, inputSchemaOf, type Param } from "../jsonrpc/schema/param.js"

/** An ID in cb58. A missing ID is 32 zero bytes, which is the P-Chain and the Primary Network. */
export const id: Param<ids.ID, string, string> = {
  ...textParam(ids.id, ids.EMPTY_ID, "an ID in cb58"),
  emptyIsMissing: true,
}

export const nodeID: Param<ids.NodeID, string, string> = textParam(ids.nodeID, ids.EMPTY_NODE_ID, "a node ID, NodeID- and cb58")

const encodingSchema: Schema<Encoding, Encoding> = {
  jsonSchema: { type: "string", enum: ["hex", "hexc", "hexnc", "json"] },
  writeJson: (sink, value) => sink.plain(value),
  fromJson: (json) => parseEncoding(json as string),
}

/** The encoding of bytes, in any letter case. */
export const encoding: Param<Encoding, string, Encoding> = textParam(encodingSchema, "hex", "one of hex, hexc, hexnc, json")

/** A height, or `proposed`. It refuses the largest u64, which means "proposed" inside AvalancheGo. */
export const height: Param<bigint | "proposed", string | number | bigint, string> = {
  jsonSchema: { oneOf: [...(digitsSchema(MAX64 - 1n).oneOf as readonly Json[]), { const: "proposed" }] },
  zero: 0n,
  writeJson: (sink, value) => sink.plain(`${value}`),
  fromJson(json, _as, path) {
    const value = json === "proposed" ? json : digitsOf(json, MAX64 - 1n)
    if (value === undefined) throw badParam(path, `a height from 0 to ${MAX64 - 1n}, or "proposed"`)
    return value
  },
}

/** An address of this network's P-Chain. It is only written, because methods read addresses themselves. */
export const addressOutput: JsonWriter<address.Address, string> = address.address

/** Bytes in `0x` hex without a checksum. */
export const hex: JsonWriter<Uint8Array, string> = bytes

/** Bytes in the requested encoding. */
export interface EncodedBytes {
  readonly bytes: Uint8Array
  readonly encoding: Exclude<Encoding, "json">
}

/** Bytes in `0x` hex, with a checksum unless the encoding has none. */
export const encodedBytes: JsonWriter<EncodedBytes, string> = textOutput(bytes.jsonSchema, (value) =>
  toHexText(value.bytes, value.encoding),
)

/** The JSON Schema of a number, a time in RFC 3339, or a date. */
const timeSchema = (description: string): JsonSchema => ({
  oneOf: [...(inputSchemaOf(u64).oneOf as []), { type: "string", format: "date-time" }, { type: "string", format: "date" }],
  description,
})

/** A time: read from Unix seconds as a number or digits, from RFC 3339 (a fraction is dropped) or from a date; written as Unix seconds. */
export const unixTime: Param<bigint, string | number | bigint, string> = {
  ...described(u64, "A time in Unix seconds."),
  inputSchema: timeSchema("A time in Unix seconds or in RFC 3339, or a date, which is its first second in UTC."),
  fromJson(json, _as, path) {
    const bound = readBound(json as Json, "from")
    if (!bound) throw badParam(path, "Unix seconds, a time in RFC 3339, or a date")
    return bound.value
  },
}

/** The first or the last block of a part of the chain, see `readBound`. */
export const chainBound = (side: "from" | "to"): Param<ChainBound, string | number | bigint, string> => ({
  jsonSchema: timeSchema(`The block, as ${BOUND_FORMS} from 1000000000 on.`),
  zero: { kind: "height", value: 0n },
  writeJson: (sink, { value }) => sink.plain(`${value}`),
  fromJson(json, _as, path) {
    const bound = readBound(json as Json, side)
    if (!bound) throw badParam(path, BOUND_FORMS)
    return bound
  },
})
