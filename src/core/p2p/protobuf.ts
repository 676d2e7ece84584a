import type { DescMessage, MessageShape } from "@bufbuild/protobuf"
import { MAX_PROTOBUF_VALUES, readProtobuf } from "../types/readProtobuf.js"
import { p2pError } from "./errors.js"

/** Decodes a protobuf message of a peer. Throws `p2p.bad_message` and `p2p.too_many_values`. */
export function decodeProtobuf<Schema extends DescMessage>(schema: Schema, bytes: Uint8Array): MessageShape<Schema> {
  return readProtobuf(schema, bytes, (problem, offset) =>
    problem === "malformed"
      ? p2pError("p2p.bad_message", { offset })
      : p2pError("p2p.too_many_values", { limit: MAX_PROTOBUF_VALUES }),
  )
}
