import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf"
import { hasFewValues } from "../types/protobufValues.js"
import { p2pError } from "./errors.js"
import { MAX_MESSAGE_SIZE } from "./frame.js"

/** The maximum number of values in a message: as many as 32-byte IDs fit into one. */
const MAX_VALUES = MAX_MESSAGE_SIZE / 32

/** Decodes a protobuf message of a peer. Its values are counted first. Throws `p2p.bad_message` and `p2p.too_many_values`. */
export function decodeProtobuf<Schema extends DescMessage>(schema: Schema, bytes: Uint8Array): MessageShape<Schema> {
  if (!hasFewValues(schema, bytes, MAX_VALUES)) throw p2pError("p2p.too_many_values", { limit: MAX_VALUES })
  try {
    return fromBinary(schema, bytes, { readUnknownFields: false })
  } catch (error) {
    throw p2pError("p2p.bad_message", { reason: (error as Error).message })
  }
}
