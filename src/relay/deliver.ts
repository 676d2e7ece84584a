import { equalBytes, hexToBytes, toHex } from "../core/lib/bytes.js"
import { Invalid } from "../core/lib/invalid.js"
import { deliveryCall, EXECUTION_FAILED, receivedCall } from "../evm/icmMessage.js"
import { type EvmTransaction, signEvmTransaction } from "../evm/transaction.js"
import { type EvmLog, warpAccessList } from "../evm/warpLogs.js"
import type { FundedKey, RelayedMessage } from "../producer/chainHosting.js"
import { GrpcError, grpcStatus } from "../vmhost/grpc/grpcError.js"
import { askBytes, askQuantity, askReceipt, EvmRefusal, type EvmRpc } from "./evmRpc.js"
import type { DeliveryOutcome, SentMessage } from "./relayLedger.js"

/** A Warp message with the signatures of the validators of its chain. */
export interface SignedRelay extends Pick<RelayedMessage, "signers" | "totalWeight"> {
  readonly signedMessage: Uint8Array
  /** The P-Chain height at which these are the validators. */
  readonly pChainHeight: bigint
}

export interface DeliveryPorts {
  readonly rpc: EvmRpc
  readonly evmChainID: bigint
  /** The keys that may pay, in order of preference. */
  readonly keys: readonly FundedKey[]
  /** Returns whether the destination has no block yet. Throws `vm.stopped`. */
  isBeforeFirstBlock(): boolean
  /** Signs the message as the validators of its chain would, if its VM does. Throws `Invalid`. */
  sign(): Promise<SignedRelay>
  pause(milliseconds: number): Promise<void>
  /** Returns false if nobody waits for the outcome any more. */
  isWanted(): boolean
}

/** The maximum number of times that a message is sent again with the same signatures. */
const MAX_REPEATS = 3

/** Delivers a message, unless it was delivered before. Returns `undefined` if it must be tried again because a VM has ended. */
export async function deliver(message: SentMessage, ports: DeliveryPorts): Promise<DeliveryOutcome | undefined> {
  const failed = (reason: string): DeliveryOutcome => ({ state: "failed", reason })
  try {
    const { contract, icm } = message
    const { rpc } = ports
    if ((await askBytes(rpc, "eth_getCode", [contract, "latest"])) === "0x")
      return failed(`no contract is at ${contract} on the destination`)
    const isReceived = await askReceived(message, rpc)
    if (isReceived === undefined) return failed(`the contract at ${contract} on the destination is not one of ICM`)
    if (isReceived) return { state: "delivered" }
    const key = await relayerOf(ports)
    if (!key) return failed("no key of the relayer has funds on the destination")
    const isAllowed = icm.relayers.length === 0 || icm.relayers.includes(key.address.toLowerCase())
    if (!isAllowed) return failed(`the message allows other relayers only, and not ${key.address}`)
    if (ports.isBeforeFirstBlock()) await makeFirstBlock(key, ports)
    let repeats = 0
    for (let signed = await ports.sign(); ; ) {
      const { signedMessage, pChainHeight, ...signers } = signed
      const deliveryTx = await send(deliveryOf(message, signedMessage, key), key, ports)
      const outcome = await outcomeOf(message, deliveryTx, ports)
      if (!outcome) return undefined
      if (outcome.state === "failed") {
        signed = await ports.sign()
        // The validators have changed since, or may have changed and changed back, so the block may have been verified with others.
        if (!equalBytes(signed.signedMessage, signedMessage)) continue
        if (signed.pChainHeight !== pChainHeight && repeats++ < MAX_REPEATS) continue
      }
      return { ...outcome, deliveryTx, ...signers }
    }
  } catch (error) {
    if (isEndOfVM(error)) return undefined
    if (error instanceof Invalid || error instanceof EvmRefusal || error instanceof GrpcError) return failed(error.message)
    throw error
  }
}

/** Asks the contract on the destination whether it has received a message. Returns `undefined` if it does not answer that: it is another contract. */
async function askReceived({ contract, icmID }: SentMessage, rpc: EvmRpc): Promise<boolean | undefined> {
  const answer = await askBytes(rpc, "eth_call", [{ to: contract, data: receivedCall(icmID) }, "latest"])
  return answer.length === 66 ? BigInt(answer) !== 0n : undefined
}

/** Returns whether an error says that a VM does not run. */
export const isEndOfVM = (error: unknown): boolean =>
  error instanceof GrpcError
    ? error.status === grpcStatus.unavailable || error.status === grpcStatus.cancelled
    : error instanceof Invalid && error.code === "vm.stopped"

async function relayerOf({ rpc, keys }: DeliveryPorts): Promise<FundedKey | undefined> {
  for (const key of keys) if ((await askQuantity(rpc, "eth_getBalance", [key.address, "latest"])) > 0n) return key
  return undefined
}

/** The gas of a payment, and of a delivery for everything but the receiver: the signature, the contract's own work, and the words of the message. */
const [PAYMENT_GAS, BASE_GAS, WORD_GAS] = [21_000n, 1_000_000n, 10_000n]

function deliveryOf({ contract, icm }: SentMessage, signedMessage: Uint8Array, { address }: FundedKey) {
  const accessList = warpAccessList(`0x${toHex(signedMessage)}`)
  const gas = icm.gasLimit + BASE_GAS + BigInt(accessList[0].storageKeys.length) * WORD_GAS
  return { gas, to: contract, data: deliveryCall(address), accessList }
}

/** Sends a transaction, and returns its hash. */
async function send(
  tx: Pick<EvmTransaction, "gas" | "to" | "data" | "accessList">,
  { address, privateKey }: FundedKey,
  { rpc, evmChainID: chainID }: DeliveryPorts,
): Promise<string> {
  const nonce = await askQuantity(rpc, "eth_getTransactionCount", [address, "pending"])
  // The price may rise before the block.
  const gasPrice = (await askQuantity(rpc, "eth_gasPrice", [])) * 2n
  const raw = signEvmTransaction({ ...tx, chainID, nonce, gasPrice }, hexToBytes(privateKey.slice(2)))
  return askBytes(rpc, "eth_sendRawTransaction", [raw])
}

/** Makes a block by a payment of nothing to the payer, because the first block of a chain can carry no message. */
async function makeFirstBlock(key: FundedKey, ports: DeliveryPorts): Promise<void> {
  await send({ gas: PAYMENT_GAS, to: key.address }, key, ports)
  for (let wait = FIRST_PAUSE; ports.isWanted() && ports.isBeforeFirstBlock(); wait = nextPause(wait)) await ports.pause(wait)
}

/** The first pause before a block is looked for again, and the longest, milliseconds. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [4, 500]
const nextPause = (pause: number): number => Math.min(pause * 2, LONGEST_PAUSE)

/** Waits for the receipt of a delivery, as long as it takes: the next block may have to be made by hand. */
async function outcomeOf(
  { icmID }: SentMessage,
  hash: string,
  { rpc, pause, isWanted }: DeliveryPorts,
): Promise<DeliveryOutcome | undefined> {
  for (let wait = FIRST_PAUSE; isWanted(); wait = nextPause(wait)) {
    const receipt = await askReceipt(rpc, hash)
    if (receipt?.isReverted) return { state: "failed", reason: `the transaction was reverted: ${await revertReason(rpc, hash)}` }
    if (receipt) return { state: "delivered", reason: failureOfReceiver(receipt.logs, icmID) }
    const isGone = wait === LONGEST_PAUSE && (await rpc("eth_getTransactionByHash", [hash])) === null
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
    const trace = (await rpc("debug_traceTransaction", [hash, { tracer: "callTracer" }])) as {
      revertReason?: unknown
      error?: unknown
    }
    return String(trace?.revertReason ?? trace?.error ?? "without a reason")
  } catch (error) {
    if (error instanceof EvmRefusal) return "its VM has no traces that would tell why"
    throw error
  }
}
