import { decode } from "../../../core/codec/decode.js"
import { hexToBytes, toHex } from "../../../core/lib/bytes.js"
import { valueOrUndefined } from "../../../core/lib/invalid.js"
import { type ID, idOf } from "../../../core/types/id.js"
import { type EvmLog, SEND_WARP_MESSAGE, sentMessages, WARP_PRECOMPILE } from "../../../core/types/warp/evmMessage.js"
import { icmMessageID, readIcmMessage } from "../../../core/types/warp/icmMessage.js"
import { unsignedMessage } from "../../../core/types/warp/message.js"
import { decodePayload } from "../../../core/types/warp/payload.js"
import { keccak256 } from "../../../platform/evmAddress.js"
import { type EvmRpc, quantity } from "./evmRpc.js"
import type { SentMessage } from "./relayLedger.js"

/** A log of a chain with its place. */
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
