import { encode } from "../../core/codec/decode.js"
import { hexToBytes, toHex } from "../../core/lib/bytes.js"
import { type ID, idText } from "../../core/types/id.js"
import { unsignedMessage } from "../../core/types/warp/message.js"
import { GrpcError, grpcStatus } from "../grpc/grpcError.js"
import { type ServedService, serve } from "../grpc/grpcServer.js"
import { AliasReader } from "../proto/aliasreader_pb.js"
import { SharedMemory } from "../proto/sharedmemory_pb.js"
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

/** Names of chains. */
export interface AliasPorts {
  /** Returns the chain with this name. */
  chainOf(alias: string): ID | undefined
  /** Returns the names of a chain, the primary one first. */
  aliasesOf(chainID: ID): readonly string[]
}

/** Answers questions about the names of chains. */
export function aliasService({ chainOf, aliasesOf }: AliasPorts): ServedService {
  const aliases = (id: Uint8Array) => aliasesOf(toHex(id) as ID)
  return serve(AliasReader, {
    lookup: ({ alias }) => {
      const id = chainOf(alias)
      if (id === undefined) throw refusal(`there is no ID with alias ${alias}`)
      return { id: hexToBytes(id) }
    },
    primaryAlias: ({ id }) => {
      const [alias] = aliases(id)
      if (alias === undefined) throw refusal(`there is no alias for ID ${idText(toHex(id) as ID)}`)
      return { alias }
    },
    aliases: ({ id }) => ({ aliases: [...aliases(id)] }),
  })
}

/** Refuses shared memory, because no chain beside the P-Chain of the primary network runs here. */
export function sharedMemoryService(): ServedService {
  const refuse = () => {
    throw new GrpcError(grpcStatus.unimplemented, "Serac has no shared memory: VMs with atomic transactions do not run here")
  }
  return serve(SharedMemory, { get: refuse, indexed: refuse, apply: refuse })
}

const refusal = (text: string): GrpcError => new GrpcError(grpcStatus.unknown, text)
