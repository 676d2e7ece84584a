import { expect, vi } from "vitest"
import { parseID } from "../../src/core/types/id.js"
import { SEND_WARP_MESSAGE, WARP_PRECOMPILE } from "../../src/evm/warpLogs.js"
import { abiBytes } from "./board.js"
import { eth, receiptOf, signedTransfer, type Transfer } from "./evm.js"
import { icmPayload, messengerBytecode, RECEIVED } from "./messenger.js"

/** An L1 that sends and receives messages. */
export interface MessagingL1 {
  readonly chainID: string
  readonly rpcUrl: string
  readonly evmChainID?: bigint | undefined
  readonly keys: readonly { readonly address: string; readonly privateKey: string }[]
}

/** The first contract of the first funded key. */
export const messenger = "0x52C84043CD9c865236f11d9Fc9F56aa003c1f922"

/** A transaction of a funded key, by default of the first one. */
export interface Transaction extends Pick<Transfer, "to" | "accessList"> {
  readonly data: string
  readonly value?: bigint
  readonly key?: number
}

/** Sends a transaction, and returns its receipt. */
export async function transact({ rpcUrl, evmChainID, keys }: MessagingL1, { key = 0, value = 0n, ...call }: Transaction) {
  const { address, privateKey } = keys[key] ?? { address: "", privateKey: "" }
  const nonce = Number(await eth(rpcUrl, "eth_getTransactionCount", [address, "pending"]))
  const raw = signedTransfer({ ...call, chainID: evmChainID as bigint, nonce, value, privateKey })
  return receiptOf(rpcUrl, await eth(rpcUrl, "eth_sendRawTransaction", [raw]))
}

/** Creates the contract, or another one, on an L1 whose first key has sent nothing. */
export async function deployMessenger(l1: MessagingL1, data = messengerBytecode): Promise<void> {
  const { contractAddress, status } = await transact(l1, { data })
  expect([contractAddress?.toLowerCase(), status]).toEqual([messenger.toLowerCase(), "0x1"])
}

/** Sends a message from one L1 to another. Nonces are numbers from 1 on. */
export function sendMessage(from: MessagingL1, to: MessagingL1, nonce: number, relayers: readonly string[] = []) {
  const payload = icmPayload({
    nonce: BigInt(nonce),
    sender: from.keys[0]?.address as string,
    destination: parseID(to.chainID),
    receiver: messenger,
    gasLimit: 100_000n,
    relayers,
    text: `message ${nonce}`,
  })
  return transact(from, { to: messenger, data: `0x2bb1ae7c${abiBytes(payload)}` })
}

/** Returns the nonces of the messages that an L1 has received, in order, and checks that its contract has counted each once. */
export async function receivedBy({ rpcUrl }: MessagingL1): Promise<readonly number[]> {
  const filter = { fromBlock: "0x0", toBlock: "latest", address: messenger, topics: [RECEIVED] }
  const logs = (await eth(rpcUrl, "eth_getLogs", [filter])) as readonly { readonly data: string }[]
  const words = logs.map(({ data }) => [Number(`0x${data.slice(2, 66)}`), Number(`0x${data.slice(66)}`)] as const)
  expect(words.map(([, count]) => count)).toEqual(words.map((_, i) => i + 1))
  return words.map(([nonce]) => nonce)
}

/** Waits until an L1 has received these messages, in order. */
export async function waitForMessages(l1: MessagingL1, nonces: readonly number[]): Promise<void> {
  await vi.waitFor(async () => expect((await receivedBy(l1)).length).toBeGreaterThanOrEqual(nonces.length), {
    timeout: 60_000,
    interval: 50,
  })
  expect(await receivedBy(l1)).toEqual(nonces)
}

/** The numbers from 1 to `last`. */
export const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, i) => i + 1)

/** Returns the number of messages that an L1 has sent. */
export async function sentBy({ rpcUrl }: MessagingL1): Promise<number> {
  const filter = { fromBlock: "0x0", toBlock: "latest", address: WARP_PRECOMPILE, topics: [SEND_WARP_MESSAGE] }
  return ((await eth(rpcUrl, "eth_getLogs", [filter])) as readonly unknown[]).length
}
