import { encode } from "../../core/codec/decode.js"
import { toHex } from "../../core/lib/bytes.js"
import type { ID } from "../../core/types/id.js"
import { unsignedMessage } from "../../core/types/warp/message.js"
import { GrpcError, grpcStatus } from "../grpc/grpcError.js"
import { type ServedService, serve } from "../grpc/grpcServer.js"
import { Signer } from "../proto/warp_pb.js"

/** The chain whose messages are signed, and the key of this node. */
export interface WarpSignerPorts {
  readonly networkID: number
  readonly chainID: ID
  sign(message: Uint8Array): Uint8Array
}

/** Signs the Warp messages of one chain. */
export function warpSignerService({ networkID, chainID, sign }: WarpSignerPorts): ServedService {
  return serve(Signer, {
    sign: ({ networkId, sourceChainId, payload }) => {
      const source = toHex(sourceChainId) as ID
      if (networkId !== networkID) throw refusal(`the message is of network ${networkId}, and this node of ${networkID}`)
      if (source !== chainID) throw refusal("the message is of another chain")
      return { signature: sign(encode(unsignedMessage, { networkID, sourceChainID: source, payload })) }
    },
  })
}

const refusal = (text: string): GrpcError => new GrpcError(grpcStatus.unknown, text)
