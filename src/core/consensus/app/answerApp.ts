import { create, toBinary } from "@bufbuild/protobuf"
import type { Mempool } from "../../chain/mempool.js"
import { decode } from "../../codec/decode.js"
import { Invalid } from "../../lib/invalid.js"
import type { ChainMessage, OutgoingMessage } from "../../p2p/message.js"
import { SignatureRequestSchema, SignatureResponseSchema } from "../../p2p/proto/app_pb.js"
import { decodeProtobuf } from "../../p2p/protobuf.js"
import { checkMaySign, signingErrorNumber } from "../../rules/warpSigning.js"
import type { View } from "../../state/view.js"
import type { NodeID } from "../../types/id.js"
import { unsignedMessage } from "../../types/warp/message.js"
import { hasTime } from "../responder.js"
import { AppErrorCode, AppHandler, appError, appResponse, openEnvelope } from "./envelope.js"
import { answerPull } from "./txGossip.js"

export interface AppContext {
  readonly networkID: number
  /** The last accepted state. */
  readonly state: View
  /** Signs with the node's BLS key under the tag of Warp messages. */
  sign(message: Uint8Array): Uint8Array
  readonly pool: Mempool
  readonly pulls: PullThrottle
  readonly validators: readonly { readonly nodeID: NodeID }[]
  /** Unix milliseconds. */
  readonly now: number
}

/** Answers a request to the P-Chain's VM; `undefined` if it stays silent. */
export function answerApp(
  nodeID: NodeID,
  message: Extract<ChainMessage, { case: "appRequest" }>,
  context: AppContext,
): OutgoingMessage | undefined {
  if (!hasTime(message)) return undefined
  const { requestId, appBytes } = message.value
  const envelope = openEnvelope(appBytes)
  if (envelope?.handler === BigInt(AppHandler.signatureRequest)) return answerSignatureRequest(requestId, envelope.body, context)
  if (envelope?.handler !== BigInt(AppHandler.txGossip)) {
    return appError(requestId, AppErrorCode.unregisteredHandler, "unregistered handler")
  }
  const { validators, pulls, now, pool } = context
  if (!validators.some((each) => each.nodeID === nodeID))
    return appError(requestId, AppErrorCode.notAValidator, "not a validator")
  if (!pulls.take(nodeID, validators.length, now)) return appError(requestId, AppErrorCode.throttled, "throttled")
  return answerPull(requestId, envelope.body, pool)
}

/**
 * Answers a request for a signature (ACP-118): with a signature if the P-Chain's state shows that the message is true, otherwise with the
 * reason.
 */
export function answerSignatureRequest(
  requestId: number,
  body: Uint8Array,
  signing: Pick<AppContext, "networkID" | "state" | "sign">,
): OutgoingMessage {
  try {
    const { message, justification } = decodeProtobuf(SignatureRequestSchema, body)
    checkMaySign(signing.state, signing.networkID, decode(unsignedMessage, message), justification)
    const response = create(SignatureResponseSchema, { signature: signing.sign(message) })
    return appResponse(requestId, toBinary(SignatureResponseSchema, response))
  } catch (error) {
    if (!(error instanceof Invalid) || error.code.startsWith("p2p."))
      return appError(requestId, AppErrorCode.unexpected, "failed to unmarshal request")
    return appError(requestId, signingErrorNumber(error.code) ?? AppErrorCode.unexpected, error.avalanchegoMessage)
  }
}

const WINDOW_MS = 3_600_000
const PULLS_IN_WINDOW = 2400

/**
 * Returns the number of pulls per hour that one of `validators` connected validators can make: its share of 2400 plus four standard
 * deviations.
 */
export function pullLimit(validators: number): number {
  const n = Math.max(1, validators)
  return PULLS_IN_WINDOW / n + (4 * Math.sqrt(PULLS_IN_WINDOW * (n - 1))) / n
}

/** Counts the pulls of each validator within the last hour. */
export class PullThrottle {
  readonly #pulls = new Map<NodeID, number[]>()

  /** Returns whether a validator may pull now, and counts the pull if it may. There are never more stored times than the limit. */
  take(nodeID: NodeID, validators: number, now: number): boolean {
    const recent = (this.#pulls.get(nodeID) ?? []).filter((at) => now - at < WINDOW_MS)
    const mayPull = recent.length < pullLimit(validators)
    if (mayPull) recent.push(now)
    this.#pulls.set(nodeID, recent)
    return mayPull
  }
}
