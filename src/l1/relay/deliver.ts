import { hexToBytes, toHex } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import { type EvmLog, warpAccessList } from "../../core/types/warp/evmMessage.js"
import { deliveryCall, EXECUTION_FAILED, receivedCall } from "../../core/types/warp/icmMessage.js"
import { signEvmTransaction } from "../../platform/evmTransaction.js"
import type { FundedKey, RelayedMessage } from "../../producer/l1Hosting.js"
import { GrpcError, grpcStatus } from "../../vmhost/grpc/grpcError.js"
import { EvmRefusal, type EvmRpc } from "./evmRpc.js"
import type { DeliveryOutcome, SentMessage } from "./relayLedger.js"

/** A Warp message with the signatures of the validators of its chain. */
export interface SignedRelay extends Pick<RelayedMessage, "signers" | "totalWeight"> {
  readonly signedMessage: Uint8Array
}

export interface DeliveryPorts {
  readonly rpc: EvmRpc
  readonly evmChainID: bigint
  /** The keys that may pay, in order of preference. */
  readonly keys: readonly FundedKey[]
  /** Signs the message as the validators of its chain would, if its VM does. Throws `Invalid`. */
  sign(): Promise<SignedRelay>
  pause(milliseconds: number): Promise<void>
  /** Returns false if nobody waits for the outcome any more. */
  isWanted(): boolean
}

/** Delivers a message, unless it was delivered before. Returns `undefined` if it must be tried again because a VM has ended. */
export async function deliver(message: SentMessage, ports: DeliveryPorts): Promise<DeliveryOutcome | undefined> {
  const failed = (reason: string): DeliveryOutcome => ({ state: "failed", reason })
  try {
    const { contract, icmID, icm } = message
    const { rpc } = ports
    if ((await rpc("eth_getCode", [contract, "latest"])) === "0x")
      return failed(`no contract is at ${contract} on the destination`)
    if (BigInt(await rpc("eth_call", [{ to: contract, data: receivedCall(icmID) }, "latest"])) !== 0n)
      return { state: "delivered" }
    const key = await relayerOf(ports)
    if (!key) return failed("no key of the relayer has funds on the destination")
    const isAllowed = icm.relayers.length === 0 || icm.relayers.includes(key.address.toLowerCase())
    if (!isAllowed) return failed(`the message allows other relayers only, and not ${key.address}`)
    const { signedMessage, ...signed } = await ports.sign()
    const hash = await rpc("eth_sendRawTransaction", [await transactionOf(message, signedMessage, key, ports)])
    const outcome = await outcomeOf(message, hash, ports)
    return outcome && { ...outcome, deliveryTx: hash, ...signed }
  } catch (error) {
    if (isEndOfVM(error)) return undefined
    if (error instanceof Invalid || error instanceof EvmRefusal || error instanceof GrpcError) return failed(error.message)
    throw error
  }
}

/** Returns whether an error says that a VM does not run. */
export const isEndOfVM = (error: unknown): boolean =>
  error instanceof GrpcError
    ? error.status === grpcStatus.unavailable || error.status === grpcStatus.cancelled
    : error instanceof Invalid && error.code === "vm.stopped"

async function relayerOf({ rpc, keys }: DeliveryPorts): Promise<FundedKey | undefined> {
  for (const key of keys) if (BigInt(await rpc("eth_getBalance", [key.address, "latest"])) > 0n) return key
  return undefined
}

/** Gas for everything but the receiver: the signature, the contract's own work, and the words of the message. */
const [BASE_GAS, WORD_GAS] = [1_000_000n, 10_000n]

async function transactionOf(
  { contract, icm }: SentMessage,
  signedMessage: Uint8Array,
  { address, privateKey }: FundedKey,
  { rpc, evmChainID: chainID }: DeliveryPorts,
): Promise<string> {
  const accessList = warpAccessList(`0x${toHex(signedMessage)}`)
  const words = accessList[0].storageKeys.length
  const [nonce, price] = [await rpc("eth_getTransactionCount", [address, "pending"]), await rpc("eth_gasPrice", [])]
  const gas = icm.gasLimit + BASE_GAS + BigInt(words) * WORD_GAS
  // The price may rise before the block.
  const call = { chainID, nonce: BigInt(nonce), gasPrice: BigInt(price) * 2n, gas, to: contract, data: deliveryCall(address) }
  return signEvmTransaction({ ...call, accessList }, hexToBytes(privateKey.slice(2)))
}

/** The first pause before a receipt is asked for again, and the longest, milliseconds. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [4, 500]

/** Waits for the receipt of a delivery, as long as it takes: the next block may have to be made by hand. */
async function outcomeOf(
  { icmID }: SentMessage,
  hash: string,
  { rpc, pause, isWanted }: DeliveryPorts,
): Promise<DeliveryOutcome | undefined> {
  for (let wait = FIRST_PAUSE; isWanted(); wait = Math.min(wait * 2, LONGEST_PAUSE)) {
    const receipt = await rpc<{ status: string; logs: readonly EvmLog[] } | null>("eth_getTransactionReceipt", [hash])
    if (receipt?.status === "0x1") return { state: "delivered", reason: failureOfReceiver(receipt.logs, icmID) }
    if (receipt) return { state: "failed", reason: `the transaction was reverted: ${await revertReason(rpc, hash)}` }
    const isGone = wait === LONGEST_PAUSE && (await rpc<object | null>("eth_getTransactionByHash", [hash])) === null
    if (isGone) return { state: "failed", reason: "the VM dropped the transaction" }
    await pause(wait)
  }
  return undefined
}

function failureOfReceiver(logs: readonly EvmLog[], icmID: string): string | undefined {
  const hasFailed = logs.some(({ topics: [event, id] }) => event === EXECUTION_FAILED && id === icmID)
  return hasFailed ? "the receiver failed; retryMessageExecution of the contract tries it again" : undefined
}

/** Asks for the reason of a revert. A VM without traces does not know it. */
async function revertReason(rpc: EvmRpc, hash: string): Promise<string> {
  try {
    const trace = await rpc<{ revertReason?: string; error?: string }>("debug_traceTransaction", [hash, { tracer: "callTracer" }])
    return trace.revertReason ?? trace.error ?? "without a reason"
  } catch (error) {
    if (error instanceof EvmRefusal) return "its VM has no traces that would tell why"
    throw error
  }
}
