import { create, toBinary } from "@bufbuild/protobuf"
import type { Mempool } from "../../chain/mempool.js"
import { hexToBytes } from "../../lib/bytes.js"
import { valueOrUndefined } from "../../lib/invalid.js"
import { BloomFilter } from "../../p2p/bloomFilter.js"
import type { OutgoingMessage } from "../../p2p/message.js"
import { PullGossipRequestSchema, PullGossipResponseSchema, PushGossipSchema } from "../../p2p/proto/app_pb.js"
import { decodeProtobuf } from "../../p2p/protobuf.js"
import type { Random } from "../../p2p/random.js"
import type { Tx } from "../../txs/tx.js"
import type { NodeID } from "../../types/id.js"
import { AppErrorCode, AppHandler, appError, appGossip, appResponse, openEnvelope } from "./envelope.js"

export const FILTER_SALT_SIZE = 32

/** The size that a batch of transactions aims at, bytes. */
export const GOSSIP_BYTES = 20 * 1024

/** The mempool whose transactions are exchanged, and the validators with which they are. */
export interface GossipOptions {
  readonly pool: Mempool
  readonly random: Random
  /** The connected validators, those with most stake first. */
  validators(): readonly { readonly nodeID: NodeID; readonly weight: bigint }[]
  send(nodeID: NodeID, message: OutgoingMessage): boolean
}

/** A push of transactions, to validators. */
export function pushGossip(txs: readonly Tx[]): OutgoingMessage {
  const push = create(PushGossipSchema, { gossip: txs.map(({ bytes }) => bytes) })
  return appGossip(AppHandler.txGossip, toBinary(PushGossipSchema, push))
}

/** Returns the transactions that another node pushes, as bytes; none if the message is not a push. */
export function pushedTxs(appBytes: Uint8Array): readonly Uint8Array[] {
  const envelope = openEnvelope(appBytes)
  if (envelope?.handler !== BigInt(AppHandler.txGossip)) return []
  return valueOrUndefined(() => decodeProtobuf(PushGossipSchema, envelope.body).gossip) ?? []
}

/** Answers a validator that asks for the transactions that are not in its filter, up to about 20 KiB of them. */
export function answerPull(requestId: number, body: Uint8Array, waiting: Iterable<Tx>): OutgoingMessage {
  const filter = filterIn(body)
  if (!filter) return appError(requestId, AppErrorCode.unexpected, "invalid pull gossip request")
  const gossip: Uint8Array[] = []
  let size = 0
  for (const { id, bytes } of waiting) {
    if (filter.has(hexToBytes(id))) continue
    gossip.push(bytes)
    size += bytes.length
    if (size > GOSSIP_BYTES) break
  }
  return appResponse(requestId, toBinary(PullGossipResponseSchema, create(PullGossipResponseSchema, { gossip })))
}

function filterIn(body: Uint8Array): BloomFilter | undefined {
  return valueOrUndefined(() => {
    const { salt, filter } = decodeProtobuf(PullGossipRequestSchema, body)
    return salt.length === FILTER_SALT_SIZE ? BloomFilter.parse(filter, salt) : undefined
  })
}
