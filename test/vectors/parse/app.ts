import { decode, decodeOrUndefined } from "../../../src/core/codec/decode.js"
import { AppHandler, openEnvelope } from "../../../src/core/consensus/app/envelope.js"
import { pushedTxs } from "../../../src/core/consensus/app/txGossip.js"
import { toHex } from "../../../src/core/lib/bytes.js"
import { valueOrUndefined } from "../../../src/core/lib/invalid.js"
import { BloomFilter } from "../../../src/core/p2p/bloomFilter.js"
import { p2pError } from "../../../src/core/p2p/errors.js"
import {
  PullGossipRequestSchema,
  PullGossipResponseSchema,
  PushGossipSchema,
  SignatureRequestSchema,
  SignatureResponseSchema,
} from "../../../src/core/p2p/proto/app_pb.js"
import { decodeProtobuf } from "../../../src/core/p2p/protobuf.js"
import { MAX_SIZE, topLevelTx } from "../../../src/core/txs/tx.js"
import { unsignedMessage } from "../../../src/core/types/warp/message.js"
import { decodePayload } from "../../../src/core/types/warp/payload.js"
import { decodePChainMessage } from "../../../src/core/types/warp/pChainMessage.js"
import { bls } from "../../../src/platform/backends.js"
import { type Facts, type ReadFacts, shortText } from "./facts.js"
import { txText } from "./platform.js"
import { sourceOf } from "./warp.js"

/** Reads the number of the protocol, and returns the rest. */
function bodyOf(facts: Facts, bytes: Uint8Array) {
  const envelope = openEnvelope(bytes)
  if (!envelope) throw p2pError("p2p.bad_message", { offset: 0 })
  facts.handler = `${envelope.handler}`
  return { handler: Number(envelope.handler), body: envelope.body }
}

export const readAppRequest: ReadFacts = (facts, bytes) => {
  const { handler, body } = bodyOf(facts, bytes)
  facts.body = shortText(body)
  if (handler === AppHandler.txGossip) readPull(facts, body)
  else if (handler === AppHandler.signatureRequest) readSignatureRequest(facts, body)
  else throw p2pError("p2p.bad_message", { offset: 0 })
}

function readPull(facts: Facts, body: Uint8Array): void {
  const { salt, filter } = decodeProtobuf(PullGossipRequestSchema, body)
  if (salt.length !== 32) throw p2pError("p2p.bad_message", { offset: 0 })
  Object.assign(facts, { salt: toHex(salt), filter: shortText(BloomFilter.parse(filter, salt).toBytes()) })
}

function readSignatureRequest(facts: Facts, body: Uint8Array): void {
  const request = decodeProtobuf(SignatureRequestSchema, body)
  const message = decode(unsignedMessage, request.message)
  Object.assign(facts, sourceOf(message), {
    message: shortText(request.message),
    justification: shortText(request.justification),
    call: callText(message.payload),
  })
}

/** Names the message in a payload that the P-Chain is asked to sign, or the step at which it is no such message. */
function callText(bytes: Uint8Array): string {
  const call = valueOrUndefined(() => decodePayload(bytes))
  if (call?.kind !== "AddressedCall") return "bad call"
  if (call.sourceAddress.length > 0) return "source address"
  return valueOrUndefined(() => decodePChainMessage(call.payload).kind) ?? "bad payload"
}

const txTexts = (all: readonly Uint8Array[]): string[] =>
  all.map((bytes) => {
    const tx = decodeOrUndefined(topLevelTx, bytes, { maxSize: MAX_SIZE })
    return tx ? txText(tx) : ""
  })

export const readAppGossip: ReadFacts = (facts, bytes) => {
  const { handler, body } = bodyOf(facts, bytes)
  if (handler !== AppHandler.txGossip) throw p2pError("p2p.bad_message", { offset: 0 })
  decodeProtobuf(PushGossipSchema, body)
  facts.txs = txTexts(pushedTxs(bytes))
}

export const readPullResponse: ReadFacts = (facts, bytes) => {
  facts.txs = txTexts(decodeProtobuf(PullGossipResponseSchema, bytes).gossip)
}

export const readSignatureResponse: ReadFacts = (facts, bytes) => {
  const { signature } = decodeProtobuf(SignatureResponseSchema, bytes)
  facts.signature = shortText(signature)
  bls().checkSignature(signature)
}
