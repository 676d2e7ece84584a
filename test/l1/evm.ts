import { hexToBytes } from "../../src/core/lib/bytes.js"
import { type EvmTransaction, signEvmTransaction } from "../../src/evm/transaction.js"
import type { EvmLog } from "../../src/evm/warpLogs.js"

/** Calls a method of an EVM chain. Throws the error of its answer. */
export async function eth(url: string, method: string, params: object = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
  const { result, error } = JSON.parse(text) as { result: unknown; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}

/** A payment or a call on an EVM chain. */
export interface Transfer {
  readonly chainID: bigint
  readonly nonce: number
  /** The receiver; omitted if the data is that of a new contract. */
  readonly to?: string
  readonly value: bigint
  readonly privateKey: string
  /** The data of a call, as hex with `0x`. */
  readonly data?: string
  readonly accessList?: EvmTransaction["accessList"]
}

/** Makes a signed transaction. */
export function signedTransfer({ nonce, privateKey, data, accessList, ...transfer }: Transfer): string {
  const gas = data === undefined ? 21_000n : 8_000_000n
  const call = { ...(data === undefined ? {} : { data }), ...(accessList ? { accessList } : {}) }
  const price = 100_000_000_000n
  return signEvmTransaction({ ...transfer, ...call, nonce: BigInt(nonce), gas, gasPrice: price }, hexToBytes(privateKey.slice(2)))
}

/** The receipt of a transaction. */
export interface Receipt {
  readonly status: string
  readonly blockNumber: string
  readonly transactionHash: string
  readonly contractAddress: string | null
  readonly logs: readonly EvmLog[]
}

/** Waits for the receipt of a transaction. */
export async function receiptOf(url: string, hash: unknown): Promise<Receipt> {
  for (;;) {
    const receipt = await eth(url, "eth_getTransactionReceipt", [hash])
    if (receipt) return receipt as Receipt
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
