import { utf8 } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import { EvmRefusal } from "../../relay/evmRpc.js"
import { GrpcError } from "../../vmhost/grpc/grpcError.js"
import { TOOL_VERSION, type WordContext, WordRefusal, wordOf } from "./evmWords.js"

/** How the methods begin among which are words. A call that has none of these texts is passed on unread. */
const FAMILIES = ['"evm_', '"hardhat_', '"anvil_', '"eth_accounts"', '"eth_sendTransaction"']

/** The largest number of calls of a batch with words. */
const MAX_BATCH = 1000

/** A call of JSON-RPC, as far as it is one. */
interface RpcCall {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

/** Asks the VM, with the bytes of a call. Returns its answer as JSON; `undefined` if the VM has none. */
export type AskVM = (body: Uint8Array) => Promise<unknown>

/** Returns the tool that the query of an address names, such as `?as=hardhat`. */
export const toolOf = (query: string): string | undefined => /^\?as=(hardhat|anvil)$/.exec(query)?.[1]

/** Returns whether a call, or a batch of them, may have a word. */
export function mayHaveWord(body: Uint8Array, tool?: string): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  return FAMILIES.some((family) => bytes.includes(family)) || (tool !== undefined && bytes.includes(TOOL_VERSION))
}

/** Answers a call or a batch that has a word, in the order of its calls; `undefined` if it has none after all, and the VM answers it. */
export async function answerWords(body: Uint8Array, context: WordContext, askVM: AskVM): Promise<Uint8Array | undefined> {
  const given = jsonIn(body)
  const calls = Array.isArray(given) ? given : [given]
  if (!calls.some((call) => wordIn(call, context.tool))) return undefined
  if (calls.length > MAX_BATCH)
    return jsonOf(failure(undefined, -32_600, `a batch with words of the EVM has at most ${MAX_BATCH} calls`))
  const answers: unknown[] = []
  for (const call of calls) {
    const run = wordIn(call, context.tool)
    const answer = await orFailure(call, () => (run ? answerOf(call as RpcCall, run, context) : askVM(jsonOf(call))))
    if (answer !== undefined) answers.push(answer)
  }
  return jsonOf(Array.isArray(given) ? answers : answers[0])
}

function wordIn(call: unknown, tool: string | undefined): ReturnType<typeof wordOf> {
  const { method } = (typeof call === "object" && call !== null ? call : {}) as RpcCall
  return typeof method === "string" ? wordOf(method, tool) : undefined
}

async function answerOf({ id, params = [] }: RpcCall, run: NonNullable<ReturnType<typeof wordOf>>, context: WordContext) {
  if (!Array.isArray(params)) throw new WordRefusal("the parameters are a list")
  return { jsonrpc: "2.0", id: id ?? null, result: await run(params, context) }
}

/** Returns the answer to a call, or its refusal. A VM may end between the calls of a batch. */
async function orFailure(call: unknown, answer: () => Promise<unknown>): Promise<unknown> {
  try {
    return await answer()
  } catch (error) {
    const { id } = (call ?? {}) as RpcCall
    if (error instanceof WordRefusal) return failure(id, error.code, error.message)
    if (error instanceof Invalid || error instanceof EvmRefusal || error instanceof GrpcError)
      return failure(id, -32_000, error.message)
    throw error
  }
}

const failure = (id: unknown, code: number, message: string) => ({ jsonrpc: "2.0", id: id ?? null, error: { code, message } })

const jsonOf = (value: unknown): Uint8Array => utf8(JSON.stringify(value))

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"))
  } catch {
    return undefined
  }
}
