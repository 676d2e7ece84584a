import { utf8 } from "../../../core/lib/bytes.js"
import type { HostedChain } from "../../../vmhost/hostedChain.js"
import { callHandler } from "../../../vmhost/http/simpleRequest.js"

/** Calls a method of an EVM chain. Throws `EvmRefusal`, and `GrpcError` if the VM has ended. */
export type EvmRpc = <Result = string>(method: string, params: readonly unknown[]) => Promise<Result>

/** An error that an EVM chain answered. */
export class EvmRefusal extends Error {}

/** Returns the RPC of a chain as long as its VM runs, and not that of a later start; `undefined` if the VM has none. Throws `vm.stopped`. */
export function evmRpcOf(chain: Pick<HostedChain, "handler">): EvmRpc | undefined {
  const handler = chain.handler("/rpc")
  if (!handler) return undefined
  return async <Result>(method: string, params: readonly unknown[]) => {
    const answer = await callHandler(handler, {
      method: "POST",
      url: "/rpc",
      headers: ["Content-Type", "application/json"],
      body: utf8(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })),
      responseHeaders: [],
    })
    const { result, error } = JSON.parse(Buffer.from(answer.body).toString("utf8")) as {
      result: Result
      error?: { readonly message: string }
    }
    if (error) throw new EvmRefusal(`${method}: ${error.message}`)
    return result
  }
}

/** A quantity as EVM chains write it. */
export const quantity = (value: bigint): string => `0x${value.toString(16)}`
