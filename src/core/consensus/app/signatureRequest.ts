import { create, toBinary } from "@bufbuild/protobuf"
import { decode } from "../../codec/decode.js"
import { Invalid } from "../../lib/invalid.js"
import type { OutgoingMessage } from "../../p2p/message.js"
import { SignatureRequestSchema, SignatureResponseSchema } from "../../p2p/proto/app_pb.js"
import { decodeProtobuf } from "../../p2p/protobuf.js"
import { checkMaySign, signingErrorNumber } from "../../rules/warpSigning.js"
import type { View } from "../../state/view.js"
import { unsignedMessage } from "../../types/warp/message.js"
import { AppErrorCode, appError, appResponse } from "./envelope.js"

export interface WarpSigning {
  readonly networkID: number
  /** The last accepted state. */
  readonly state: View
  /** Signs with the node's BLS key under the tag of Warp messages. */
  sign(message: Uint8Array): Uint8Array
}

/**
 * Answers a request for a signature (ACP-118): with a signature if the P-Chain's state shows that the message is true, otherwise with the
 * reason.
 */
export function answerSignatureRequest(requestId: number, body: Uint8Array, signing: WarpSigning): OutgoingMessage {
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
