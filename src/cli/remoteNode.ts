import { type AnswerOf, type Call, type MethodName, nodeClient, nodeJsonClient, type ParamsOf } from "../client/client.js"
import { nodeAddress } from "../client/nodeAddress.js"
import { bodyText } from "../core/lib/bodyChunks.js"
import { Invalid, valueOrUndefined } from "../core/lib/invalid.js"
import type { Json } from "../core/lib/json.js"
import { parseJson } from "../core/lib/parseJson.js"
import { type JsonCall, reasonOf, type Transport } from "../jsonrpc/client.js"
import { cliError } from "./errors.js"
import { type FlagType, flagWithDefault } from "./flags/flags.js"
import { onOff } from "./flags/flagTypes.js"

/** The address of a node, without a slash at its end and without a path of its API, such as /ext/bc/P. */
export const nodeUrl: FlagType<string> = {
  value: "URL",
  expects: "an address such as 127.0.0.1:9650 or https://node.example",
  read(given) {
    if (typeof given !== "string") return undefined
    return valueOrUndefined(() => nodeAddress(/^\w+:\/\//.test(given) ? given : `http://${given}`))
  },
}

/** The flags of every command that calls a node. */
export const remoteNodeFlags = {
  url: flagWithDefault(nodeUrl, "The address of the node", "http://127.0.0.1:9650"),
  json: flagWithDefault(onOff, "Prints JSON on one line, for scripts", false),
}

/** A node at an address, for a command that calls it. */
export interface RemoteNode {
  /** Calls a method; 64-bit integers of the answer are bigints. */
  readonly call: Call
  /** Calls a method and returns the result as the node wrote it. */
  readonly json: JsonCall
  /** Calls a method once and returns both forms of its result. */
  readonly both: <N extends MethodName>(
    method: N,
    params: ParamsOf<N>,
  ) => Promise<{ readonly json: Json; readonly answer: AnswerOf<N> }>
}

/** The node at this address. Its errors are those that a command shows. */
export const remoteNode = (url: string): RemoteNode => nodeOver(transportTo(url))

/** The ProposerVM of the chain at an address such as http://127.0.0.1:9650/ext/bc/mine/rpc. Only methods of `proposervm` can be called. */
export function remoteProposerVM(url: string): RemoteNode {
  const chain = /^https?:\/\/[^?#]+\/ext\/bc\/(?![PXC](?:\/|$))[^/?#]+/.exec(url)?.[0]
  if (chain === undefined) throw cliError("cli.bad_l1_rpc", { url })
  return nodeOver((_path, body) => transportTo(`${chain}/proposervm`)("", body))
}

function nodeOver(transport: Transport): RemoteNode {
  const [typed, json] = [nodeClient(transport) as JsonCall, nodeJsonClient(transport)]
  return {
    call: ((method: string, params?: unknown) => withPlainRefusal(typed(method, params))) as Call,
    json: (method, params) => withPlainRefusal(json(method, params)),
    async both(method, params) {
      let text = ""
      const call = nodeClient(async (path, body) => {
        text = await transport(path, body)
        return text
      }) as JsonCall
      const answer = (await withPlainRefusal(call(method, params))) as unknown as AnswerOf<typeof method>
      return { answer, json: (parseJson(text) as { readonly result: Json }).result }
    },
  }
}

/** The sentence of a node's refusal contains the data already, so the data is omitted. */
async function withPlainRefusal<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Invalid && "rpcCode" in error.data) throw new Invalid(error.code, { sentence: error.sentence }, {})
    throw error
  }
}

function transportTo(url: string): Transport {
  return async (path, body) => {
    const { status, text } = await post(url + path, body)
    if (!/^\s*\{/.test(text)) throw cliError("cli.not_a_node", { url: url + path, status, answer: text.trim().split("\n", 1)[0] })
    return text
  }
}

/** The size of the largest answer that a command reads, bytes. */
const MAX_ANSWER = 64 << 20

/** Sends a body of JSON. Throws as `fetchText` does. */
export const post = (url: string, body: string): Promise<TextAnswer> =>
  fetchText(url, { method: "POST", headers: { "content-type": "application/json" }, body })

/** An answer as text. */
export interface TextAnswer {
  readonly status: number
  readonly text: string
}

/** Sends a request and reads the answer as text. Redirections are refused. Throws `cli.no_answer` and `cli.answer_too_large`. */
export async function fetchText(url: string, request: RequestInit): Promise<TextAnswer> {
  const { status, text } = await answerTo(url, request).catch((error) => {
    throw cliError("cli.no_answer", { url, reason: reasonOf(error) })
  })
  if (text === undefined) throw cliError("cli.answer_too_large", { url, most: MAX_ANSWER })
  return { status, text }
}

async function answerTo(url: string, request: RequestInit) {
  const { status, body } = await fetch(url, { ...request, redirect: "error" })
  return { status, text: await bodyText(body, MAX_ANSWER, request.signal ?? undefined) }
}
