import { isExtension } from "../../jsonrpc/http/request/foreignOrigin.js"
import type { HttpResponse } from "../../jsonrpc/http/response/send.js"
import type { BodyRequest, ConnectRequest, Tunnel } from "../../jsonrpc/http/route/bodyRoute.js"
import { clientOf, type NodeApi } from "../../node/api.js"
import type { ChainPlugin } from "../../vmhost/chainPlugin.js"
import type { GrpcClient } from "../../vmhost/grpc/grpcClient.js"
import { callHandler } from "../../vmhost/http/simpleRequest.js"
import type { EvmChain } from "./evmChain.js"
import { type AskVM, answerWords, mayHaveWord, toolOf } from "./wordCalls.js"
import { WordSocket } from "./wordSocket.js"

/** The chain at whose address words are answered, and the node that carries them out. */
interface WordParts {
  readonly plugin: ChainPlugin
  readonly evm: EvmChain
  readonly nodeApi: NodeApi
}

/** Milliseconds that the handling of a call with words takes here, beside the work that it starts. */
const WORD_MILLISECONDS = 0.5

const CALL = { method: "POST", url: "/rpc", headers: ["Content-Type", "application/json"], responseHeaders: [] } as const

/** Returns a function that asks the VM at its path `/rpc`, also for a client of a WebSocket. */
const askerOf = ({ plugin }: WordParts, ending: AbortSignal): AskVM => {
  return async (body) => {
    const answer = await callHandler(plugin.handler("/rpc") as GrpcClient, { ...CALL, body, ending })
    return answer.body.length === 0 ? undefined : JSON.parse(Buffer.from(answer.body).toString("utf8"))
  }
}

/** Answers a call over HTTP that has a word of the tools of the EVM; `undefined` if the VM answers it. */
export async function answerRpc(parts: WordParts, request: BodyRequest): Promise<HttpResponse | undefined> {
  const { method, subpath, query, body, origin = "", ending, answerHeaders } = request
  const { evm, nodeApi } = parts
  const tool = toolOf(query)
  const isRpc = method === "POST" && subpath === "/rpc" && mayHaveWord(body, tool)
  // A wallet in a browser may use the chain, and not the private chain itself.
  if (!isRpc || isExtension(origin)) return undefined
  const answer = await answerWords(body, { evm, call: clientOf(nodeApi), tool, ending }, askerOf(parts, ending))
  const headers = ["Content-Type", "application/json", ...answerHeaders]
  return answer && { status: 200, headers, body: [answer], milliseconds: WORD_MILLISECONDS }
}

/** Returns the WebSocket of a VM with answers to the words of the client, at the path `/ws`. */
export function withWords(parts: WordParts, tunnel: Tunnel, { subpath, query, origin = "" }: ConnectRequest): Tunnel {
  if (subpath !== "/ws" || isExtension(origin)) return tunnel
  const { evm, nodeApi } = parts
  const tool = toolOf(query)
  const ended = new AbortController()
  const context = { evm, call: clientOf(nodeApi), tool, ending: ended.signal }
  const askVM = askerOf(parts, ended.signal)
  const answer = (message: Uint8Array) => (mayHaveWord(message, tool) ? answerWords(message, context, askVM) : undefined)
  const stream = new WordSocket(tunnel.stream, answer, (error) => nodeApi.onFault(error, "word over a WebSocket"))
  stream.once("close", () => ended.abort())
  return { ...tunnel, stream }
}
