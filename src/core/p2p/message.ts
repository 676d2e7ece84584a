import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf"
import { p2pError } from "./errors.js"
import { MAX_MESSAGE_SIZE } from "./frame.js"
import { type Message, MessageSchema } from "./proto/p2p_pb.js"
import { decodeProtobuf } from "./protobuf.js"

type Variant<M> = Exclude<Extract<M, { case: string }>, { case: "compressedZstd" }>

/** A message as it was received. `case` names its kind, such as `getAncestors`. */
export type PeerMessage = Variant<Message["message"]>
export type MessageKind = PeerMessage["case"]
export type MessageOf<Kind extends MessageKind> = Extract<PeerMessage, { case: Kind }>

type NetworkKind = "ping" | "pong" | "handshake" | "peerList" | "getPeerList"

/** A message that is about a chain, not about the connection. */
export type ChainMessage = Exclude<PeerMessage, { case: NetworkKind }>

/** A message to send. Omitted fields are zero. */
export type OutgoingMessage = Variant<MessageInitShape<typeof MessageSchema>["message"]>

/** zstd, passed in by the node, because the library loads WebAssembly. */
export interface Compression {
  compress(bytes: Uint8Array): Uint8Array
  /** Decompresses bytes. Throws `Invalid` if they are not zstd, or have more than `limit` bytes uncompressed. */
  decompress(bytes: Uint8Array, limit: number): Uint8Array
}

const compressedKinds: ReadonlySet<MessageKind> = new Set<MessageKind>([
  "getPeerList",
  "peerList",
  "ancestors",
  "put",
  "pushQuery",
  "appRequest",
  "appResponse",
  "appError",
  "appGossip",
])

/** Below this size compressing costs more than it saves; receivers take any message either way. */
const MIN_COMPRESSED_SIZE = 256

/** Encodes a message, compressed if its kind is and if that makes it smaller. */
export function encodeMessage(message: OutgoingMessage, compression?: Compression): Uint8Array {
  const plain = toBinary(MessageSchema, create(MessageSchema, { message }))
  if (!compression || plain.length < MIN_COMPRESSED_SIZE || !compressedKinds.has(message.case)) return plain
  const value = compression.compress(plain)
  if (value.length >= plain.length) return plain
  return toBinary(MessageSchema, create(MessageSchema, { message: { case: "compressedZstd", value } }))
}

/**
 * Reads a message, compressed or not; `undefined` for a kind that this version does not know. `unpacked` is called with the size of a
 * compressed message before it is decoded. Throws `p2p.bad_message`, `p2p.too_many_values`, `p2p.nested_compression` and the errors of the
 * decompression.
 */
export function decodeMessage(
  bytes: Uint8Array,
  compression: Compression,
  unpacked: (size: number) => void = () => {},
): PeerMessage | undefined {
  const { message } = decodeProtobuf(MessageSchema, bytes)
  if (message.case !== "compressedZstd") return message.case === undefined ? undefined : message
  const plain = compression.decompress(message.value, MAX_MESSAGE_SIZE)
  unpacked(plain.length)
  const { message: inner } = decodeProtobuf(MessageSchema, plain)
  if (inner.case === "compressedZstd") throw p2pError("p2p.nested_compression")
  return inner.case === undefined ? undefined : inner
}
