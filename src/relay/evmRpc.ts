import { decode } from "../core/codec/decode.js"
import { hexToBytes, toHex, utf8 } from "../core/lib/bytes.js"
import { valueOrUndefined } from "../core/lib/invalid.js"
import { type ID, idOf } from "../core/types/id.js"
import { unsignedMessage } from "../core/types/warp/message.js"
import { decodePayload } from "../core/types/warp/payload.js"
import { keccak256 } from "../evm/address.js"
import { icmMessageID, readIcmMessage } from "../evm/icmMessage.js"
import { type EvmLog, SEND_WARP_MESSAGE, sentMessages, WARP_PRECOMPILE } from "../evm/warpLogs.js"
import { systemTimers } from "../node/timers.js"
import type { ChainPlugin } from "../vmhost/chainPlugin.js"
import { withTimeLimit } from "../vmhost/grpc/timeLimit.js"
import { callHandler } from "../vmhost/http/simpleRequest.js"
import type { SentMessage } from "./relayLedger.js"

/** Calls a method of an EVM chain. Throws `EvmRefusal`, and `GrpcError` if the VM has ended or does not answer. */
export type EvmRpc = (method: string, params: readonly unknown[]) => Promise<unknown>

/** An error that an EVM chain answered, or an answer that is none. */
export class EvmRefusal extends Error {
  /** The code of the error; `undefined` if the answer is none. */
  readonly code: unknown

  constructor(message: string, code?: unknown) {
    super(message)
    this.code = code
  }
}

/** The code of JSON-RPC for a method that a VM does not have. */
const METHOD_NOT_FOUND = -32_601

/** The time that a VM has for an answer, milliseconds. It may read the logs of a thousand blocks. */
const ANSWER_MILLISECONDS = 30_000

/** Returns the RPC of a chain as long as its VM runs, and not that of a later start; `undefined` if the VM has none. Throws `vm.stopped`. */
export function evmRpcOf(plugin: Pick<ChainPlugin, "handler">): EvmRpc | undefined {
  const handler = plugin.handler("/rpc")
  if (!handler) return undefined
  return async (method, params) => {
    const body = utf8(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))
    const request = { method: "POST", url: "/rpc", headers: ["Content-Type", "application/json"], body, responseHeaders: [] }
    const call = (ending: AbortSignal) => callHandler(handler, { ...request, ending })
    const answer = await withTimeLimit(systemTimers.after, ANSWER_MILLISECONDS, call)
    const { result, error } = memberOf(jsonIn(answer.body), method)
    if (error) {
      const { message, code } = memberOf(error, method)
      throw new EvmRefusal(`${method}: ${String(message)}`, code)
    }
    return result
  }
}

/** Calls a method that answers a quantity. Throws the errors of the RPC. */
export async function askQuantity(rpc: EvmRpc, method: string, params: readonly unknown[]): Promise<bigint> {
  return quantityIn(await rpc(method, params), method)
}

/** Calls a method that answers bytes, and returns them as hex with `0x`. Throws the errors of the RPC. */
export async function askBytes(rpc: EvmRpc, method: string, params: readonly unknown[]): Promise<string> {
  const answer = await rpc(method, params)
  if (typeof answer === "string" && /^0x(?:[0-9a-f]{2})*$/i.test(answer)) return answer
  throw noAnswer(method)
}

/** The receipt of a transaction. */
export interface EvmReceipt {
  readonly isReverted: boolean
  readonly logs: readonly EvmLog[]
}

/** Asks for the receipt of a transaction. Returns `undefined` if there is none yet. Throws the errors of the RPC. */
export async function askReceipt(rpc: EvmRpc, hash: string): Promise<EvmReceipt | undefined> {
  const method = "eth_getTransactionReceipt"
  const answer = await rpc(method, [hash])
  if (answer === null) return undefined
  const { status, logs } = memberOf(answer, method)
  return { isReverted: quantityIn(status, method) === 0n, logs: logsIn(logs, method) }
}

/** The balances of some accounts, wei, and where the next ones begin; `undefined` after the last one. */
export interface AccountPage {
  readonly balances: readonly bigint[]
  readonly next: string | undefined
}

/** Asks for the accounts after a block, from a place on. Returns `undefined` if the VM lists none. Throws the other errors of the RPC. */
export async function askAccounts(rpc: EvmRpc, block: bigint, from: string): Promise<AccountPage | undefined> {
  const method = "debug_accountRange"
  try {
    // Without code and storage, and with accounts whose address is not known.
    const { accounts, next } = memberOf(await rpc(method, [quantity(block), from, 256, true, true, true]), method)
    const listed = Object.values(memberOf(accounts, method))
    return {
      balances: listed.map((account) => decimalIn(memberOf(account, method).balance, method)),
      next: typeof next === "string" ? `0x${Buffer.from(next, "base64").toString("hex")}` : undefined,
    }
  } catch (error) {
    if (error instanceof EvmRefusal && error.code === METHOD_NOT_FOUND) return undefined
    throw error
  }
}

/**
 * Asks whether an EVM chain wants messages of the C-Chain signed by the primary network. By default its own validators sign them. `now` is the
 * time of the chain, Unix seconds. Throws the errors of the RPC.
 */
export async function askNeedsPrimarySigners(rpc: EvmRpc, now: bigint): Promise<boolean> {
  const method = "eth_getChainConfig"
  const { warpConfig, upgrades } = memberOf(await rpc(method, []), method) as ChainConfig
  const later = (upgrades?.precompileUpgrades ?? []).flatMap((each) => each.warpConfig ?? [])
  const active = [warpConfig, ...later].filter((each) => each && BigInt(each.blockTimestamp ?? 0) <= now)
  return active.at(-1)?.requirePrimaryNetworkSigners === true
}

/** What an EVM chain says about its Warp precompile. */
interface ChainConfig {
  readonly warpConfig?: WarpConfig
  readonly upgrades?: { readonly precompileUpgrades?: readonly { readonly warpConfig?: WarpConfig }[] }
}

interface WarpConfig {
  readonly blockTimestamp?: number
  readonly requirePrimaryNetworkSigners?: boolean
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"))
  } catch {
    return undefined
  }
}

function memberOf(value: unknown, method: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw noAnswer(method)
  return value as Readonly<Record<string, unknown>>
}

function quantityIn(value: unknown, method: string): bigint {
  if (typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value)) return BigInt(value)
  throw noAnswer(method)
}

function decimalIn(value: unknown, method: string): bigint {
  if (typeof value === "string" && /^\d{1,78}$/.test(value)) return BigInt(value)
  throw noAnswer(method)
}

function logsIn(value: unknown, method: string): readonly EvmLog[] {
  const isText = (each: unknown) => typeof each === "string"
  const isLog = (log: unknown) => {
    const { address, topics, data } = memberOf(log, method)
    return isText(address) && isText(data) && Array.isArray(topics) && topics.every(isText)
  }
  if (Array.isArray(value) && value.every(isLog)) return value
  throw noAnswer(method)
}

const noAnswer = (method: string): EvmRefusal => new EvmRefusal(`${method}: the VM gives no answer of this method`)

/** A quantity as EVM chains write it. */
const quantity = (value: bigint): string => `0x${value.toString(16)}`

interface PlacedLog extends EvmLog {
  readonly blockNumber: bigint
  readonly transactionHash: string
}

/** Reads the ICM messages that an EVM chain sent in some blocks, in order. Throws the errors of the RPC. */
export async function icmMessagesIn(rpc: EvmRpc, from: bigint, to: bigint): Promise<readonly SentMessage[]> {
  const blocks = { fromBlock: quantity(from), toBlock: quantity(to) }
  const filter = { ...blocks, address: WARP_PRECOMPILE, topics: [SEND_WARP_MESSAGE] }
  const logs = logsIn(await rpc("eth_getLogs", [filter]), "eth_getLogs")
  return logs.flatMap((log) => icmMessageOf(placed(log)) ?? [])
}

function placed(log: EvmLog): PlacedLog {
  const { blockNumber, transactionHash } = memberOf(log, "eth_getLogs")
  return { ...log, blockNumber: quantityIn(blockNumber, "eth_getLogs"), transactionHash: String(transactionHash) }
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
    messageID: idOf(bytes) as ID,
    icmID: icmMessageID(contract, sourceChainID, icm, keccak256),
    contract,
    sourceChainID,
    destinationChainID,
    nonce,
    sender,
    receiver,
    bytes,
    icm,
    height: log.blockNumber,
    sourceTx: log.transactionHash,
  }
}
