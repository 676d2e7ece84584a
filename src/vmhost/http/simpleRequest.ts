import { fromBinary } from "@bufbuild/protobuf"
import { anyUnpack } from "@bufbuild/protobuf/wkt"
import type { GrpcClient } from "../grpc/grpcClient.js"
import { GrpcError } from "../grpc/grpcError.js"
import { type HandleSimpleHTTPResponse, HandleSimpleHTTPResponseSchema, HTTP } from "../proto/http_pb.js"
import { StatusSchema } from "../proto/status_pb.js"
import { headerElements, headerList, statusOf } from "./headers.js"

/** A request to a handler of a VM. Headers are lists of alternating names and values. */
export interface SimpleRequest {
  readonly method: string
  /** The target of the request line. */
  readonly url: string
  readonly headers: readonly string[]
  readonly body: Uint8Array
  /** The headers that the node has set for the answer. */
  readonly responseHeaders: readonly string[]
  /** Ends the call; omitted if nothing does. */
  readonly ending?: AbortSignal | undefined
}

/** The answer of a handler, with all of its headers. */
export interface SimpleResponse {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

/** Passes a request to a handler of a VM. Throws `GrpcError`. */
export async function callHandler(
  handler: Pick<GrpcClient, "call">,
  { method, url, headers, body, responseHeaders, ending }: SimpleRequest,
): Promise<SimpleResponse> {
  const input = {
    method,
    url,
    requestHeaders: headerElements(headers),
    body,
    responseHeaders: headerElements(responseHeaders),
  }
  const answer = await handler.call(HTTP.method.handleSimple, input, { signal: ending }).catch((error) => {
    const answer = answerIn(error)
    if (!answer) throw error
    return answer
  })
  return { status: statusOf(answer.code), headers: headerList(answer.headers), body: answer.body }
}

/** Returns the answer inside an error: a VM's own answer with status 500 comes as one. */
function answerIn(error: unknown): HandleSimpleHTTPResponse | undefined {
  if (!(error instanceof GrpcError) || !error.details) return undefined
  try {
    const [detail] = fromBinary(StatusSchema, error.details).details
    return detail && anyUnpack(detail, HandleSimpleHTTPResponseSchema)
  } catch {
    return undefined
  }
}
