import type { Mempool } from "../../chain/mempool.js"
import type { ChainMessage, OutgoingMessage } from "../../p2p/message.js"
import type { NodeID } from "../../types/id.js"
import { hasTime } from "../responder.js"
import { AppErrorCode, AppHandler, appError, openEnvelope } from "./envelope.js"
import type { PullThrottle } from "./pullThrottle.js"
import { answerSignatureRequest, type WarpSigning } from "./signatureRequest.js"
import { answerPull } from "./txGossip.js"

export interface AppContext extends WarpSigning {
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
