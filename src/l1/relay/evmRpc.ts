import { decode } from "../../core/codec/decode.js"
import { hexToBytes, toHex, utf8 } from "../../core/lib/bytes.js"
import { valueOrUndefined } from "../../core/lib/invalid.js"
import { type ID, idOf } from "../../core/types/id.js"
import { type EvmLog, SEND_WARP_MESSAGE, sentMessages, WARP_PRECOMPILE } from "../../core/types/warp/evmMessage.js"
import { icmMessageID, readIcmMessage } from "../../core/types/warp/icmMessage.js"
import { unsignedMessage } from "../../core/types/warp/message.js"
import { decodePayload } from "../../core/types/warp/payload.js"
import { keccak256 } from "../../platform/evmAddress.js"
import type { HostedChain } from "../../vmhost/hostedChain.js"
import { callHandler } from "../../vmhost/http/simpleRequest.js"
import type { SentMessage } from "./relayLedger.js"

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
const quantity = (value: bigint): string => `0x${value.toString(16)}`

interface PlacedLog extends EvmLog {
  readonly blockNumber: string
  readonly transactionHash: string
}

/** Reads the ICM messages that an EVM chain sent in some blocks, in order. Throws the errors of the RPC. */
export async function icmMessagesIn(rpc: EvmRpc, from: bigint, to: bigint): Promise<readonly SentMessage[]> {
  const blocks = { fromBlock: quantity(from), toBlock: quantity(to) }
  const filter = { ...blocks, address: WARP_PRECOMPILE, topics: [SEND_WARP_MESSAGE] }
  const logs = await rpc<readonly PlacedLog[]>("eth_getLogs", [filter])
  return logs.flatMap((log) => icmMessageOf(log) ?? [])
}

/** Reads the ICM message of a log of the Warp precompile. Returns `undefined` if it has another message. */
export function icmMessageOf(log: PlacedLog): SentMessage | undefined {
  const bytes = hexToBytes((sentMessages([log])[0] ?? "0x").slice(2))
  const warp = valueOrUndefined(() => decode(unsignedMessage, bytes))
  const call = warp && valueOrUndefined(() => decodePayload(warp.payload))
  const icm = call?.kind === "AddressedCall" ? readIcmMessage(call.payload) : undefined
  if (!warp || call?.kind !== "AddressedCall" || !icm) return undefined
  const contract = `0x${toHex(call.sourceAddress)}`
  const { sourceChainID } = warp
  const { nonce, sender, receiver, destinationChainID } = icm
  return {
    ...{ messageID: idOf(bytes) as ID, icmID: icmMessageID(contract, sourceChainID, icm, keccak256), contract },
    ...{ sourceChainID, destinationChainID, nonce, sender, receiver, bytes, icm },
    height: BigInt(log.blockNumber),
    sourceTx: log.transactionHash,
  }
}
