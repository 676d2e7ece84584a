import { hexToBytes, toHex } from "../../core/lib/bytes.js"
import { type ID, idText } from "../../core/types/id.js"
import { GrpcError, grpcStatus } from "../grpc/grpcError.js"
import { type ServedService, serve } from "../grpc/grpcServer.js"
import { AliasReader } from "../proto/aliasreader_pb.js"

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
      if (id === undefined) throw refusal(`there is no ID with alias: ${alias}`)
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

const refusal = (text: string): GrpcError => new GrpcError(grpcStatus.unknown, text)
