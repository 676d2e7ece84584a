import { create, toBinary } from "@bufbuild/protobuf"
import { hexToBytes } from "../../lib/bytes.js"
import { valueOrUndefined } from "../../lib/invalid.js"
import { BloomFilter, bloomSize } from "../../p2p/bloomFilter.js"
import { PullGossipRequestSchema, PullGossipResponseSchema } from "../../p2p/proto/app_pb.js"
import { decodeProtobuf } from "../../p2p/protobuf.js"
import { randomIndex } from "../../p2p/random.js"
import type { NodeID } from "../../types/id.js"
import { AppHandler, appRequest } from "./envelope.js"
import { FILTER_SALT_SIZE, type GossipOptions } from "./txGossip.js"

const PULL_INTERVAL_MS = 1_500
/** The time after which an answer is ignored, milliseconds. */
const TIMEOUT_MS = 10_000
const MIN_FILTER_ENTRIES = 8_192
const FALSE_POSITIVES = 0.01

/** Asks one random validator after the other for the transactions that are not in the mempool yet. Times are Unix milliseconds. */
export class TxPull {
  readonly #options: GossipOptions
  #open: { readonly nodeID: NodeID; readonly requestID: number; readonly expiresAt: number } | undefined
  #lastID = 0
  #nextPull = 0

  constructor(options: GossipOptions) {
    this.#options = options
  }

  /** Sends the next request if it is due. Only validators may send it; other nodes are refused. */
  tick(now: number): void {
    if (now < this.#nextPull) return
    this.#nextPull = now + PULL_INTERVAL_MS
    const validators = this.#options.validators()
    const nodeID = validators[randomIndex(this.#options.random, validators.length)]?.nodeID
    if (nodeID === undefined) return
    const requestID = ++this.#lastID
    const request = appRequest(requestID, BigInt(TIMEOUT_MS) * 1_000_000n, AppHandler.txGossip, this.#request())
    if (this.#options.send(nodeID, request)) this.#open = { nodeID, requestID, expiresAt: now + TIMEOUT_MS }
  }

  /** Returns the transactions of an answer, as bytes; none if no request was sent, or the answer is malformed. */
  answered(nodeID: NodeID, requestID: number, body: Uint8Array, now: number): readonly Uint8Array[] {
    const open = this.#open
    if (open?.nodeID !== nodeID || open.requestID !== requestID || now > open.expiresAt) return []
    this.#open = undefined
    return valueOrUndefined(() => decodeProtobuf(PullGossipResponseSchema, body).gossip) ?? []
  }

  /** Makes a filter of all waiting transactions, each time with a new seed. */
  #request(): Uint8Array {
    const { pool, random } = this.#options
    const size = bloomSize(Math.max(MIN_FILTER_ENTRIES, pool.size), FALSE_POSITIVES)
    const salt = random.bytes(FILTER_SALT_SIZE)
    const filter = BloomFilter.empty(size, random.bytes(size.hashes * 8), salt)
    for (const { id } of pool) filter.add(hexToBytes(id))
    return toBinary(PullGossipRequestSchema, create(PullGossipRequestSchema, { salt, filter: filter.toBytes() }))
  }
}
